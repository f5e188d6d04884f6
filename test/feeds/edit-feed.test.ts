/** Changing the settings of a scheduled feed, which a gateway then pulls from a shop's server. */
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../src/access/audit.ts';
import { editFeed } from '../../src/feeds/edit-feed.ts';
import { addFeed, confirmFeed, type NewFeed, readFeed } from '../../src/feeds/feeds.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { answerFeed, feedOf, someRows, startShopServer } from '../harness/shop-server.ts';

const SECRET_KEY = 'a test key that has enough characters';

const shop = await forFile(startShopServer());
const gateway = await forFile(startTestGateway({ FEEDS: 'on', FEED_LEASE_SECONDS: '1', SECRET_KEY }));

/** The feed once its newest run has ended with an outcome. */
const once = (id: string, outcome: string, runs: number) =>
  eventually(
    () => readFeed(gateway.database, id),
    (feed) => feed.runs.length >= runs && feed.lastRun?.id === feed.runs[0]?.id && feed.lastRun?.outcome === outcome,
    60_000,
  );

async function schedule(path: string, merchant: string, fields: Partial<NewFeed> = {}): Promise<string> {
  const feed = { url: shop.url(path), merchant, every: '1d', allowPrivate: true, ...fields };
  const { id } = await addFeed(gateway.database, feed, { secretKey: SECRET_KEY });
  await once(id, 'imported', 1);
  return id;
}

const edit = (id: string, change: Parameters<typeof editFeed>[2]) =>
  editFeed(gateway.database, id, change, { secretKey: SECRET_KEY });

describe('a scheduled feed', () => {
  test('that is led to another address is pulled from there at once, without what was known of the old one', async () => {
    shop.serve('/old', answerFeed(someRows(3), '"same"'));
    shop.serve('/new', answerFeed(someRows(4), '"same"'));
    const id = await schedule('/old?key=hunter2', 'Moved Shop');
    const { reportPath } = await readFeed(gateway.database, id);
    await edit(id, { url: shop.url('/new?key=swordfish'), limits: { maxRows: 10 } });
    const feed = await once(id, 'imported', 2);
    expect(shop.requests('/new')[0]?.headers).not.toHaveProperty('if-none-match');
    expect(feed).toMatchObject({
      url: shop.url('/new?key=…'),
      limits: { maxRows: 10 },
      shop: 'moved-shop',
      reportPath,
    });
    expect(feed.runs[0]?.imported).toMatchObject({ read: 4, new: 1 });
    const [entry] = await listAudit(gateway.database, { action: 'feed.edit' });
    expect(entry).toMatchObject({
      before: { url: shop.url('/old?key=…'), limits: {} },
      after: { feed: id, merchant: 'Moved Shop', url: shop.url('/new?key=…'), limits: { maxRows: 10 } },
    });
    expect(JSON.stringify(entry)).not.toMatch(/hunter2|swordfish/);
  });

  test('with a shorter interval is due earlier, and its content stays known', async () => {
    shop.serve('/often', answerFeed(someRows(2), '"v1"'));
    const id = await schedule('/often', 'Often Shop');
    const before = Date.now();
    const edited = await edit(id, { every: '1h' });
    expect(edited).toMatchObject({ every: '1h', state: 'waiting' });
    expect(edited.nextRunAt?.getTime()).toBeGreaterThanOrEqual(before + 3_599_000);
    expect(edited.nextRunAt?.getTime()).toBeLessThanOrEqual(Date.now() + 3_601_000);
    expect((await edit(id, { every: '30d' })).nextRunAt).toEqual(edited.nextRunAt);
    const [row] = await gateway.database.query('SELECT etag FROM feed WHERE url = $1', [shop.url('/often')]);
    expect(row).toEqual({ etag: '"v1"' });
  });

  test('whose settings are stated as they are stays as it is, and nothing is recorded', async () => {
    shop.serve('/same', answerFeed(someRows(2)));
    const id = await schedule('/same', 'Same Shop', { limits: { maxRejects: 5 } });
    const { runs: _, reportPath: _path, ...before } = await readFeed(gateway.database, id);
    const after = await edit(id, {
      url: shop.url('/same'),
      every: '1d',
      limits: { maxRejects: 5 },
      allowPrivate: true,
    });
    expect(after).toEqual(before);
    expect(
      (await listAudit(gateway.database, { action: 'feed.edit' })).map(({ after: values }) => values),
    ).not.toContainEqual(expect.objectContaining({ feed: id }));
  });

  test('that is changed while it is pulled starts again, and the run in progress stops', async () => {
    const release: (() => void)[] = [];
    shop.serve('/slow', answerFeed(someRows(2)));
    const id = await schedule('/slow', 'Slow Shop');
    shop.serve('/slow', (response) => void release.push(() => response.end(feedOf(someRows(3)))));
    await edit(id, { allowPrivate: true, limits: { maxRows: 50 } });
    await shop.requested('/slow', 2);
    shop.serve('/fast', answerFeed(someRows(4)));
    await edit(id, { url: shop.url('/fast') });
    for (const end of release) end();
    const feed = await once(id, 'imported', 3);
    expect(feed.runs.map(({ outcome, imported }) => [outcome, imported?.read])).toEqual([
      ['imported', 4],
      ['superseded', undefined],
      ['imported', 2],
    ]);
    expect(feed.runs[1]?.message).toBe(
      'The feed was changed while it was pulled, so this run stopped early and changed no offers.',
    );
  });

  test('needs another confirmation after a change, because the former one was of other content', async () => {
    shop.serve('/guarded', answerFeed(someRows(10)));
    const id = await schedule('/guarded', 'Guarded Shop');
    shop.serve('/guarded', answerFeed(someRows(1)));
    shop.serve('/empty', answerFeed(someRows(1, {}, 100)));
    await edit(id, { isDelta: false, limits: { maxRows: 90 } });
    expect(await once(id, 'refused', 2)).toMatchObject({ state: 'needs confirmation' });
    await edit(id, { url: shop.url('/empty') });
    expect(await once(id, 'refused', 3)).toMatchObject({ state: 'needs confirmation', isConfirmed: false });
    await confirmFeed(gateway.database, id);
    await once(id, 'imported', 4);
  });
});

describe('the headers of a feed', () => {
  test('are replaced together, kept at the same server, and removed', async () => {
    shop.serve('/secret', answerFeed(someRows(1)));
    shop.serve('/moved', answerFeed(someRows(1)));
    const id = await schedule('/secret', 'Secret Shop', { headers: ['Authorization: Bearer one', 'X-Shop: a'] });
    expect((await edit(id, { headers: ['X-Key: two'] })).headers).toEqual(['x-key']);
    await once(id, 'imported', 2);
    expect(shop.requests('/secret')[1]?.headers).toMatchObject({ 'x-key': 'two' });
    expect(shop.requests('/secret')[1]?.headers).not.toHaveProperty('authorization');

    await edit(id, { url: shop.url('/moved') });
    await once(id, 'imported', 3);
    expect(shop.requests('/moved')[0]?.headers).toMatchObject({ 'x-key': 'two' });

    expect((await editFeed(gateway.database, id, { headers: [] })).headers).toEqual([]);
    await once(id, 'imported', 4);
    expect(shop.requests('/moved')[1]?.headers).not.toHaveProperty('x-key');
    const entries = await listAudit(gateway.database, { action: 'feed.edit' });
    expect(entries.filter(({ after }) => (after as { feed: string }).feed === id)).toMatchObject([
      { before: { headers: ['authorization', 'x-shop'] }, after: { headers: ['x-key'] } },
      { before: { url: shop.url('/secret') }, after: { url: shop.url('/moved') } },
      { before: { headers: ['x-key'] }, after: { headers: [] } },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/Bearer|"two"/);
  });

  test('are never sent to another server that somebody enters', async () => {
    shop.serve('/kept', answerFeed(someRows(1)));
    const id = await schedule('/kept', 'Kept Shop', { headers: ['X-Key: secret'] });
    const other = 'https://evil.example/feed';
    await expect(edit(id, { url: other })).rejects.toThrow('are not sent to evil.example');
    expect(await readFeed(gateway.database, id)).toMatchObject({ url: shop.url('/kept'), headers: ['x-key'] });
    await expect(edit(id, { allowPrivate: false })).rejects.toThrow('unencrypted');
    await expect(editFeed(gateway.database, id, { headers: ['A: b'] })).rejects.toThrow('SECRET_KEY is not set');
    await expect(editFeed(gateway.database, id, { url: shop.url('/kept?2') })).rejects.toThrow('SECRET_KEY is not set');
  });
});

describe('a wrong change is refused like a wrong feed, and changes nothing', () => {
  test.each([
    [{ url: 'ftp://shop.example/f' }, 'must start with http'],
    [{ url: 'https://ada:swordfish@shop.example/f' }, 'user name or password'],
    [{ every: '30s' }, 'from 1m to 30d'],
    [{ headers: ['nonsense'] }, 'Name: value'],
    [{ headers: ['Host: a'] }, 'set by the service itself'],
    [{ encoding: 'klingon' }, 'is not known'],
  ])('%j', async (change, message) => {
    const feed = { url: 'https://shop.example/wrong', merchant: `Wrong ${JSON.stringify(change)}`, every: '1h' };
    const { id } = await addFeed(gateway.database, feed);
    await expect(edit(id, change)).rejects.toThrow(message);
    expect(await readFeed(gateway.database, id)).toMatchObject({ url: feed.url, every: '1h', headers: [] });
  });

  test('an address that the shop has already, and an unknown feed', async () => {
    const feed = { url: 'https://shop.example/one', merchant: 'Two Feeds', every: '1h' };
    const one = await addFeed(gateway.database, feed);
    const two = await addFeed(gateway.database, { ...feed, url: 'https://shop.example/two' });
    await expect(edit(two.id, { url: feed.url })).rejects.toThrow(`it is ${one.id}`);
    await expect(edit('fed_zzzz', { every: '1h' })).rejects.toThrow('No feed has the id');
  });
});
