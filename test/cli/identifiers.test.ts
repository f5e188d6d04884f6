/** `pda identifiers` as operators use it, also while a server runs. */
import { expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import { migrate } from '../../src/database/migrate.ts';
import { eventually } from '../harness/eventually.ts';
import { ask, feedRow, importRows } from '../harness/gateway.ts';
import { makeHome } from '../harness/home.ts';
import { forFile, forTest } from '../harness/lifetime.ts';
import { run, startServerProcess } from '../harness/process.ts';

const DRYER = '4006381333931';
const CABLE = '4006381333948';
const ASIN = 'B0DEMO0001';

let key: string;
const home = await forFile(makeHome());
await home.within(async (database) => {
  await migrate(database);
  const dryer = feedRow({ id: 'dryer', title: 'Hair dryer', gtin: DRYER });
  await importRows(database, 'Founder', [dryer]);
  await importRows(database, 'Hostile', [feedRow({ id: 'cable', title: 'Cable', gtin: CABLE, asin: ASIN })]);
  await importRows(database, 'Misled', [feedRow({ id: 'm', asin: ASIN, price: '7.00 EUR' })]);
  await importRows(database, 'Correct', [{ ...dryer, asin: ASIN }]);
  ({ key } = await createKey(database, { name: 'client', plan: 'enterprise' }));
});

const pda = (...words: string[]) => run('pda', ['identifiers', ...words], home.environment);
const json = async (...words: string[]) => {
  const { status, stdout, stderr } = await pda(...words, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
};

test('list and disputes name the shops behind an identifier, as a table and as JSON', async () => {
  const { status, stdout } = await pda('list', ASIN);
  expect(status).toBe(0);
  expect(stdout).toContain('Cable (cable, prd_');
  expect(stdout).toMatch(/asin +B0DEMO0001 +Hostile +\S+Z +Hostile, Misled +Correct \(for hair-dryer\)/);
  expect(stdout).toMatch(/name +Hostile/);
  expect(await json('disputes')).toEqual([
    {
      asin: ASIN,
      asinProduct: 'cable',
      gtin: DRYER,
      gtinProduct: 'hair-dryer',
      merchant: 'Correct',
      statedAt: expect.any(String),
    },
  ]);
  expect((await pda('disputes')).stdout).toMatch(/B0DEMO0001 +cable +4006381333931 +hair-dryer +Correct/);
});

test('an error is one sentence with its own exit status', async () => {
  const said = async (...words: string[]) => {
    const { status, stdout, stderr } = await pda(...words);
    expect(stdout).toBe('');
    return [status, stderr];
  };
  expect(await said('list', 'nothing-like-it')).toEqual([
    4,
    'No product has the GTIN, ASIN, slug or id nothing-like-it: find it by name with /api/v1/search.\n',
  ]);
  expect(await said('detach', '4006381333932')).toEqual([2, expect.stringContaining('check digit')]);
  expect(await said('detach', 'hair-dryer')).toEqual([2, expect.stringContaining('neither a GTIN')]);
  expect(await said('detach', 'B0NOWHERE1')).toEqual([4, 'No product has the ASIN B0NOWHERE1.\n']);
  expect(await said('detach', ASIN, '--to', 'cable')).toEqual([2, expect.stringContaining('name another product')]);
  expect(await said('allow', ASIN)).toEqual([4, expect.stringContaining('There is no detachment of the ASIN')]);
});

test('detach moves the offers while the server runs, keeps their history, and clients see it within a second', async () => {
  const server = await forTest(startServerProcess(home.environment));
  const get = async (path: string) => (await ask(server.address + path, { key })).body.data;
  const points = async (slug: string) => (await get(`/api/v1/products/${slug}/price-history?days=1`)).points;
  expect((await get(`/api/v1/lookup?asin=${ASIN}`)).product.name).toBe('Cable');
  const dry = await json('detach', ASIN, '--dry-run');
  expect((await get(`/api/v1/lookup?asin=${ASIN}`)).product.name).toBe('Cable');
  const report = await json('detach', ASIN);
  expect(report).toEqual(dry);
  expect(report).toEqual({
    kind: 'asin',
    value: ASIN,
    from: 'cable',
    isTakenOff: true,
    to: 'hair-dryer',
    offers: [{ id: expect.stringMatching(/^off_/), merchant: 'Misled', to: 'hair-dryer' }],
  });
  const found = await eventually(
    () => get(`/api/v1/lookup?asin=${ASIN}`),
    ({ product }) => product.name === 'Hair dryer',
  );
  expect(found).toMatchObject({ product: { name: 'Hair dryer' }, priceStats: { offerCount: 2, min: 7 } });
  expect((await get(`/api/v1/lookup?ean=${CABLE}`)).priceStats).toMatchObject({
    offerCount: 1,
    min: 10,
    lowestEver: 7,
  });
  expect(await points('cable')).toEqual([expect.objectContaining({ min: 7 })]);
  expect(await points('hair-dryer')).toEqual([expect.objectContaining({ min: 7 })]);

  const feed = JSON.stringify(feedRow({ id: 'cable', title: 'Cable', gtin: CABLE, asin: ASIN }));
  const again = await run('pda', ['import', '-', '--merchant', 'Hostile', '--json'], home.environment, `${feed}\n`);
  expect(JSON.parse(again.stdout)).toMatchObject({ same: 1, rejected: 0 });
  expect((await get(`/api/v1/lookup?asin=${ASIN}`)).product.name).toBe('Hair dryer');

  const audit = await run('pda', ['audit', '--json'], home.environment);
  expect(JSON.parse(audit.stdout).at(-1)).toMatchObject({
    action: 'identifier.detach',
    before: { asin: ASIN, product: 'cable' },
    after: { isTakenOff: true, product: 'hair-dryer', offers: 1 },
  });
  expect((await json('list', 'cable')).detached).toEqual([
    { kind: 'asin', value: ASIN, detachedAt: expect.any(String) },
  ]);
  const { stdout } = await pda('detach', ASIN, '--merchant', 'Misled');
  expect(stdout).toContain('The claim of Misled to the ASIN B0DEMO0001 is void. hair-dryer keeps the ASIN B0DEMO0001');
  expect(stdout).toMatch(/off_\w+ +Misled +thing-m\n/);
  expect(await json('allow', ASIN)).toEqual({ forgotten: 2 });
});
