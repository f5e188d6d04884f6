/** Figures that change over time without an import: the gateways refresh them in short steps, not the next import. */
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startUpkeep } from '../../src/catalogue/upkeep.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { startGateway } from '../../src/gateway.ts';
import { openTestDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { feedRow, importRows } from '../harness/gateway.ts';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const GTINS = ['4006381333931', '4006381333948', '4006381333955', '4006381333962'];

const LONG_AGO = '2026-01-01';

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

const step = async (most = 200) =>
  (await database.query<{ taken: number }>('SELECT refresh_aged_figures($1::int) AS taken', [most]))[0]?.taken ?? 0;
/** Runs steps until none is due. @returns how many products each refreshed. */
async function takeSteps(most?: number): Promise<number[]> {
  const taken: number[] = [];
  for (let last = await step(most); last > 0; last = await step(most)) taken.push(last);
  return taken;
}
const version = async () =>
  (await database.query<{ version: bigint }>('SELECT version FROM catalogue_version'))[0]?.version;
/** Discounts, and whether each is fresh: of a later day than the one that the products had at first, whatever the date is now. */
const discounts = () =>
  database.query<{ slug: string; discount: number; fresh: boolean }>(
    'SELECT slug, discount, discounted_on > $1::date AS fresh FROM product ORDER BY id',
    [LONG_AGO],
  );

/** Imports four products whose prices have fallen, with discounts of a past day. */
async function importLongAgo(on: Database): Promise<void> {
  const rows = (prices: number[]) =>
    prices.map((price, n) => feedRow({ id: `${n}`, gtin: GTINS[n], price: `${price} EUR` }));
  await importRows(on, 'One', rows([100, 100, 100, 100]), { observedAt: daysAgo(200) });
  await importRows(on, 'One', rows([50, 60, 70, 80]), { observedAt: daysAgo(60) });
  await on.query('UPDATE product SET discount = 5000, discounted_on = $1::date', [LONG_AGO]);
}

test('the first import after midnight changes only its own products, and leaves other discounts to the steps', async () => {
  await importLongAgo(database);
  const before = await discounts();
  await importRows(database, 'Two', [feedRow({ id: 'x', gtin: GTINS[0], price: '55 EUR' })], { mode: 'delta' });
  const after = await discounts();
  expect(after[0]).toMatchObject({ fresh: true });
  expect(after.slice(1)).toEqual(before.slice(1));
  await takeSteps();
  for (const each of await discounts()) expect(each).toMatchObject({ fresh: true });
});

test('a step computes the same discounts as an import, and invalidates caches of the catalogue', async () => {
  await importLongAgo(database);
  const before = (await version()) ?? 0n;
  expect(await step(1)).toBe(1);
  expect(await version()).toBe(before + 1n);
  await takeSteps();
  const byStep = await database.query<{ discount: number }>('SELECT discount FROM product ORDER BY id');
  expect(byStep.every(({ discount }) => discount > 0 && discount < 5_000)).toBe(true);
  await expectDiscountsOfImport(byStep);
});

/** Makes an import recompute all discounts: an expensive offer of another shop changes no lowest price. */
async function expectDiscountsOfImport(byStep: readonly { discount: number }[]): Promise<void> {
  await database.query('UPDATE product SET discount = 0');
  await importRows(
    database,
    'Two',
    GTINS.map((gtin) => feedRow({ id: gtin, gtin, price: '900 EUR' })),
  );
  const byImport = await database.query<{ discount: number }>('SELECT discount FROM product ORDER BY id');
  for (const [index, { discount }] of byImport.entries()) {
    // Some time has passed between the two.
    expect(Math.abs(discount - (byStep[index]?.discount ?? 0))).toBeLessThanOrEqual(1);
  }
}

test('a product whose prices change every day gets the same discount as in an import', async () => {
  const offers = Array.from({ length: 10 }, (_, offer) =>
    GTINS.map((gtin) => feedRow({ id: `${gtin}-${offer}`, gtin })),
  );
  await importRows(database, 'One', offers.flat());
  // Each offer changes daily, at its own hour, ninety times; some changes are withdrawals; the oldest are more than 90 days ago.
  await database.query(
    `INSERT INTO ledger (product_id, offer_id, observed_at, total)
     SELECT product_id, id, now() - make_interval(days => day, hours => (id % 24)::int),
            CASE WHEN (id * 31 + day * 17) % 7 > 0 THEN 2000 + (id * 7919 + day * 104729) % 3000 END
     FROM offer, generate_series(1, 95) AS day`,
  );
  await database.query('UPDATE product SET discount = 1, discounted_on = $1::date', [LONG_AGO]);
  expect((await takeSteps()).reduce((sum, taken) => sum + taken, 0)).toBeGreaterThanOrEqual(GTINS.length);
  const byStep = await discounts();
  for (const each of byStep) expect(each.discount).toBeGreaterThan(4_000);
  await expectDiscountsOfImport(byStep);
});

test.each([
  ['runs out of time', '57014'],
  ['fails', '22003'],
])('a product whose step %s keeps its discount until tomorrow, and all others are refreshed', async (_, code) => {
  await importLongAgo(database);
  await database.script(`
    CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON product FOR EACH ROW
      WHEN (new.slug = 'thing-0' AND new.discount <> old.discount) EXECUTE FUNCTION refuse()`);
  const failures: unknown[] = [];
  const upkeep = startUpkeep(database, (error) => failures.push(error), { firstMs: 0, idleMs: 0, stepMs: 0 });
  onTestFinished(() => upkeep.stop());
  const all = await eventually(discounts, (rows) => rows.every(({ fresh }) => fresh));
  upkeep.stop();
  expect(all[0]).toEqual({ slug: 'thing-0', discount: 5_000, fresh: true });
  for (const each of all.slice(1)) {
    expect(each.fresh).toBe(true);
    expect(each.discount).toBeLessThan(5_000);
  }
  expect(failures).not.toEqual([]);
});

test('a step refreshes at most 200 products, and increases the version once if it changes anything', async () => {
  await database.query(
    `INSERT INTO product (slug, name, sort_name, discount, discounted_on)
     SELECT 'p' || n, 'P' || n, 'p' || n, 1, '2026-01-01' FROM generate_series(1, 500) AS n`,
  );
  const before = (await version()) ?? 0n;
  const taken = await takeSteps(1_000);
  expect(Math.max(...taken)).toBeLessThanOrEqual(200);
  expect(taken.reduce((sum, each) => sum + each, 0)).toBe(500);
  expect(await version()).toBe(before + BigInt(taken.length));
  expect(await database.query('SELECT FROM product WHERE discount > 0')).toEqual([]);
});

test('two gateways never run a step at the same time, and a step does not wait for an import', async () => {
  await importLongAgo(database);
  await database.transaction(async (importing) => {
    await importing.query('UPDATE product SET updated_at = now() WHERE slug = $1', ['thing-0']);
    while ((await discounts()).slice(1).some(({ fresh }) => !fresh)) await step();
    expect((await discounts())[0]).toMatchObject({ discount: 5_000, fresh: false });
  });
  await database.transaction(async (other) => {
    expect(await other.query('SELECT refresh_aged_figures(1) AS taken')).toEqual([{ taken: 1 }]);
    expect(await step()).toBe(0);
  });
});

test('popularity is the number of shops that list a product, not of their offers', async () => {
  const offers = (ids: string[]) => ids.map((id) => feedRow({ id, gtin: GTINS[0] }));
  const popularity = async () =>
    (
      await database.query<{ popularity: number; offer_count: number }>('SELECT popularity, offer_count FROM product')
    )[0];
  await importRows(database, 'One', offers(['a', 'b', 'c']));
  expect(await popularity()).toEqual({ popularity: 1, offer_count: 3 });
  await importRows(database, 'Two', offers(['a', 'b']));
  expect(await popularity()).toEqual({ popularity: 2, offer_count: 5 });
  await importRows(database, 'Two', [feedRow({ id: 'z', title: 'Other' })], { isForced: true });
  expect((await database.query("SELECT popularity FROM product WHERE slug = 'thing-a'"))[0]).toEqual({ popularity: 1 });
});

test('a catalogue that an older version counted by offers is recounted in steps, once', async () => {
  await importRows(
    database,
    'One',
    ['a', 'b', 'c'].map((id) => feedRow({ id, gtin: GTINS[0] })),
  );
  await importRows(database, 'Two', [feedRow({ id: 'a', gtin: GTINS[0] }), feedRow({ id: 'd', title: 'Other' })]);
  await database.query('UPDATE product SET popularity = offer_count');
  await database.query('UPDATE popular_product SET rank = product.rank FROM product WHERE id = product_id');
  await database.query("INSERT INTO upkeep (task, after_id) VALUES ('popularity', 0)");
  expect([await step(), await step()]).toEqual([2, 0]);
  expect(await database.query('SELECT popularity FROM product ORDER BY popularity DESC')).toEqual([
    { popularity: 2 },
    { popularity: 1 },
  ]);
  // Suggestions use the order of this list.
  expect(await database.query('SELECT rank FROM popular_product ORDER BY rank DESC')).toEqual(
    await database.query('SELECT rank FROM product ORDER BY rank DESC'),
  );
  expect(await database.query('SELECT FROM upkeep')).toEqual([]);
});

test('a gateway refreshes aged figures by itself, without any request', async () => {
  const aging = await openTestDatabase();
  await importLongAgo(aging);
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'silent', DRAIN_DELAY_SECONDS: '0' });
  const gateway = await startGateway(config, aging);
  onTestFinished(() => gateway.stop());
  const aged = () => aging.query('SELECT FROM product WHERE discounted_on <= $1::date', [LONG_AGO]);
  expect(await eventually(aged, (rows) => rows.length === 0)).toEqual([]);
});

test('a failed step is reported and retried, and no step runs after the stop', async () => {
  const failures: unknown[] = [];
  let steps = 0;
  const failing = {
    ...database,
    async query<Row>(sql: string, parameters?: readonly unknown[]): Promise<Row[]> {
      steps += 1;
      if (steps === 1) throw new Error('away');
      return database.query<Row>(sql, parameters);
    },
  };
  const upkeep = startUpkeep(failing, (error) => failures.push(error), { firstMs: 0, idleMs: 0, stepMs: 0 });
  await eventually(
    async () => steps,
    (count) => count >= 3,
  );
  upkeep.stop();
  const taken = steps;
  await database.query('SELECT 1');
  expect([failures.length, steps]).toEqual([1, taken]);
});
