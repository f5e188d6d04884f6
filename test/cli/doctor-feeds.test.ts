/** What `pda doctor` says of scheduled feeds. */
import { expect, test } from 'vitest';
import { examineFeeds } from '../../src/cli/doctor/feeds.ts';
import { addFeed } from '../../src/feeds/feeds.ts';
import { encodeId } from '../../src/values/id.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { addReportedFeed } from '../harness/reported-feed.ts';

const SECRET_KEY = 'a test key that has enough characters';

const gateway = await forFile(startTestGateway({ FEEDS: 'off' }));

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const examine = (secretKey: string | undefined = SECRET_KEY) => examineFeeds(gateway.database, { secretKey });

test('feeds that fail, wait for an operator, are overdue or lack SECRET_KEY are each named with a remedy', async () => {
  const { database } = gateway;
  expect(await examine()).toEqual([]);
  await addReportedFeed(database, 'Fine Shop');
  await addReportedFeed(database, 'Paused Shop', { paused_at: new Date(), next_run_at: minutesAgo(60), failures: 2 });
  expect(await examine()).toEqual([
    { name: 'feeds', status: 'ok', says: '2 feeds, none failing or overdue, 1 paused' },
  ]);

  const failing = await addReportedFeed(database, 'Failing Shop', { failures: 3 });
  const guarded = await addReportedFeed(database, 'Guarded Shop', { failures: 1, needs_confirmation_at: new Date() });
  const late = await addReportedFeed(database, 'Late Shop', { next_run_at: minutesAgo(11) });
  await addReportedFeed(database, 'Soon Shop', { next_run_at: minutesAgo(9) });
  const feed = { url: 'https://shop.example/f', merchant: 'Secret Shop', every: '1h', headers: ['A: b'] };
  const secret = await addFeed(database, feed, { secretKey: SECRET_KEY });
  const named = ({ id }: { id: bigint }, shop: string) => expect.stringContaining(`${encodeId('feed', id)} of ${shop}`);
  const warnings = [
    { name: 'feeds due', status: 'warning', says: named(late, 'Late Shop') },
    { name: 'feeds guarded', status: 'warning', says: named(guarded, 'Guarded Shop') },
    { name: 'feeds failing', status: 'warning', says: named(failing, 'Failing Shop') },
  ];
  expect(await examine()).toMatchObject(warnings);
  expect((await examineFeeds(database, { secretKey: undefined }))[0]).toMatchObject({
    name: 'feed headers',
    says: expect.stringMatching(new RegExp(`^1 of 7 feeds .* ${secret.id} of Secret Shop$`)),
    remedy: expect.stringContaining('SECRET_KEY'),
  });
  await database.query('UPDATE feed SET confirmed_at = now() WHERE id = $1', [guarded.id]);
  expect((await examine()).map(({ name }) => name)).toEqual(['feeds due', 'feeds failing']);
});
