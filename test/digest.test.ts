/** The digest: changed products wait in a queue, and gateways refresh all that derives from their ledger. */
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Database, Queryable } from '../src/database/database.ts';
import type { DigestedProduct } from '../src/ledger/digest/consumer.ts';
import { startDigest } from '../src/ledger/digest/digest.ts';
import { digestAll, digestStep } from '../src/ledger/digest/digest-step.ts';
import { importTaxonomyText } from './harness/catalogue.ts';
import { openTestDatabase } from './harness/database.ts';
import { eventually } from './harness/eventually.ts';
import { feedRow, importRows } from './harness/gateway.ts';
import { allowChangesOfLedger } from './harness/older-ledger.ts';

const GTINS = ['4006381333931', '4006381333948', '4006381333955', '4006381333962'];
const AT_ONCE = { firstMs: 0, idleMs: 0, failedMs: 0, stepMs: 0 };

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

/** The products that are due, by name. */
const due = async () =>
  (
    await database.query<{ name: string }>(
      'SELECT name FROM due_product JOIN product ON product.id = product_id WHERE set_aside_until IS NULL ORDER BY product_id',
    )
  ).map(({ name }) => name);

const rows = (price: number) =>
  GTINS.map((gtin, n) => feedRow({ id: `${n}`, gtin, title: `P${n}`, price: `${price} EUR` }));

/** A consumer that remembers the products, and the products that it saw. */
function recorder() {
  const seen: DigestedProduct[] = [];
  return {
    seen,
    consumers: [
      async (_: Queryable, products: readonly DigestedProduct[]) => {
        seen.push(...products);
      },
    ],
  };
}

test('an import makes the products due that it founds or changes, and no others', async () => {
  await importRows(database, 'One', rows(10));
  expect(await due()).toEqual(['P0', 'P1', 'P2', 'P3']);
  await digestStep(database, 10, 0n, []);
  expect(await due()).toEqual([]);
  await importRows(database, 'One', rows(10).with(2, feedRow({ id: '2', gtin: GTINS[2], price: '11 EUR' })));
  expect(await due()).toEqual(['P2']);
});

test('a product is due that gains a brand, and one whose history an archived feed extends', async () => {
  await importRows(database, 'One', rows(10));
  await digestStep(database, 10, 0n, []);
  await importRows(database, 'One', rows(10).with(1, { ...rows(10)[1], brand: 'Acme', id: '1' }));
  expect(await due()).toEqual(['P1']);
  await digestStep(database, 10, 0n, []);
  const observedAt = new Date(Date.now() - 86_400_000);
  await importRows(database, 'One', [feedRow({ id: '3', gtin: GTINS[3], price: '9 EUR' })], {
    mode: 'delta',
    observedAt,
  });
  expect(await due()).toEqual(['P3']);
});

test('a product is due again when the judgement of its outliers changes', async () => {
  await importRows(database, 'One', rows(10));
  await digestAll(database);
  await database.query(
    `UPDATE aggregated_product
     SET judged_until = CASE name WHEN 'P1' THEN now() - INTERVAL '1 second' WHEN 'P2' THEN now() + INTERVAL '1 hour' END
     FROM product WHERE product.id = product_id`,
  );
  const { seen, consumers } = recorder();
  const digest = startDigest(database, { onFailure: () => {}, onSetAside: () => {} }, { pauses: AT_ONCE, consumers });
  onTestFinished(() => digest.stop());
  await eventually(
    async () => seen.length,
    (count) => count >= 2,
  );
  const p1 = await database.query<{ id: bigint }>("SELECT id FROM product WHERE name = 'P1'");
  expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(p1.map(({ id }) => id)));
});

test('a step passes the products on with their brand, categories, shops and whole ledger', async () => {
  await database.query(
    `INSERT INTO category (id, google_id, slug, name, path, parent_id) VALUES
     (1, 222, 'electronics', 'Electronics', 'Electronics', NULL), (2, 223, 'audio', 'Audio', 'Electronics > Audio', 1)`,
  );
  const fields = { id: '0', gtin: GTINS[0], brand: 'Acme', google_product_category: 'Electronics > Audio' };
  await importRows(database, 'One', [feedRow({ ...fields, price: '10 EUR' })], {
    observedAt: new Date(Date.now() - 1_000),
  });
  await importRows(database, 'One', [feedRow({ ...fields, price: '8 EUR' })]);
  const { seen, consumers } = recorder();
  await digestStep(database, 10, 0n, consumers);
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({ brandId: expect.any(BigInt), categoryIds: [2n, 1n] });
  expect(seen[0]?.offers.map(({ entries }) => entries.map(({ total }) => total))).toEqual([[1_000n, 800n]]);
});

test('a taxonomy that moves a category makes the products in it and below it due, and no others', async () => {
  await importTaxonomyText(database, '1 - A\n2 - B\n3 - A > Audio\n4 - A > Audio > Phones');
  const placed = ['1', '2', '3', '4'].map((google_product_category, n) => ({
    ...rows(10)[n],
    google_product_category,
  }));
  await importRows(database, 'One', placed);
  await digestStep(database, 10, 0n, []);
  await importTaxonomyText(database, '1 - A\n2 - B\n3 - A > Audio\n4 - A > Audio > Phones');
  expect(await due()).toEqual([]);
  await importTaxonomyText(database, '1 - A\n2 - B\n3 - B > Audio\n4 - B > Audio > Phones');
  expect(await due()).toEqual(['P2', 'P3']);
  const { seen, consumers } = recorder();
  await digestStep(database, 10, 0n, consumers);
  const [b, audio, phones] = await Promise.all(
    [2, 3, 4].map((id) => database.query<{ id: bigint }>('SELECT id FROM category WHERE google_id = $1', [id])),
  );
  expect(seen.map(({ categoryIds }) => categoryIds)).toEqual([
    [audio?.[0]?.id, b?.[0]?.id],
    [phones?.[0]?.id, audio?.[0]?.id, b?.[0]?.id],
  ]);
});

test('a step takes only as many products as have a hundred thousand entries together, but at least one', async () => {
  await importRows(database, 'One', rows(10));
  await database.query(
    `INSERT INTO ledger (product_id, offer_id, observed_at, total)
     SELECT product_id, offer_id, now() - n * INTERVAL '1 hour', 1000 + n
     FROM (SELECT product_id, offer_id, row_number() OVER (ORDER BY product_id) AS place FROM ledger) AS listed
     CROSS JOIN generate_series(1, 100000) AS n
     WHERE place = 2 OR (place > 2 AND n <= 40000)`,
  );
  const { seen, consumers } = recorder();
  const steps: number[] = [];
  while ((await due()).length > 0) steps.push((await digestStep(database, 10, 0n, consumers)).length);
  expect(steps).toEqual([1, 1, 2]);
  expect(seen.map(({ offers }) => offers[0]?.entries.length)).toEqual([1, 100_001, 40_001, 40_001]);
});

test('a step that fails leaves its products in the queue', async () => {
  await importRows(database, 'One', rows(10));
  const fail = async () => {
    throw new Error('no');
  };
  await expect(digestStep(database, 2, 0n, [fail])).rejects.toMatchObject({ productIds: { length: 2 } });
  expect(await due()).toEqual(['P0', 'P1', 'P2', 'P3']);
});

test('a product that always fails is set aside until it changes, and all others are digested', async () => {
  await importRows(database, 'One', rows(10));
  const { seen, consumers } = recorder();
  const setAside: bigint[] = [];
  const refuse = async (_: Queryable, products: readonly DigestedProduct[]) => {
    for (const { offers } of products) if (offers[0]?.entries[0]?.total === 1_300n) throw new Error('refused');
  };
  await importRows(database, 'One', rows(10).with(1, feedRow({ id: '1', gtin: GTINS[1], price: '13 EUR' })));
  await allowChangesOfLedger(database);
  await database.query(
    'DELETE FROM ledger WHERE total = 1000 AND offer_id IN (SELECT offer_id FROM ledger WHERE total = 1300)',
  );
  const digest = startDigest(
    database,
    { onFailure: () => {}, onSetAside: (id) => setAside.push(id) },
    { pauses: AT_ONCE, consumers: [refuse, ...consumers] },
  );
  onTestFinished(() => digest.stop());
  expect(await eventually(due, (names) => names.length === 0)).toEqual([]);
  digest.stop();
  expect(seen).toHaveLength(3);
  expect(setAside).toHaveLength(1);
  await importRows(database, 'One', rows(12));
  expect(await due()).toContain('P1');
});

test('steps at the same time share the products, and each product is digested once', async () => {
  await importRows(database, 'One', rows(10));
  const { seen, consumers } = recorder();
  // Each step waits until the other has taken its products, too.
  let arrived = 0;
  const meet = async () => {
    arrived += 1;
    await eventually(
      async () => arrived,
      (steps) => steps === 2,
    );
  };
  const steps = await Promise.all([
    digestStep(database, 2, 0n, [meet, ...consumers]),
    digestStep(database, 2, 0n, [meet, ...consumers]),
  ]);
  expect(steps.map((taken) => taken.length)).toEqual([2, 2]);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(4);
});

test('a change that is imported during a step of its product is digested afterwards', async () => {
  await importRows(database, 'One', rows(10));
  const { seen, consumers } = recorder();
  let importing: Promise<unknown> = Promise.resolve();
  const importMeanwhile = async () => {
    importing = importRows(database, 'One', rows(9));
    // The import waits for the step at the earliest when it has written its ledger.
    await eventually(
      () =>
        database.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"),
      (waiting) => waiting.length > 0,
    );
  };
  await digestStep(database, 10, 0n, [...consumers, importMeanwhile]);
  await importing;
  expect(seen.every(({ offers }) => offers[0]?.entries.length === 1)).toBe(true);
  expect(await due()).toHaveLength(4);
  await digestStep(database, 10, 0n, consumers);
  expect(seen.slice(4).every(({ offers }) => offers[0]?.entries.length === 2)).toBe(true);
});
