/** Discounts follow from the average of the lowest price of 90 days, however many offers and changes a product has. */
import { expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { MOST_JOINED } from '../../src/import/average-lowest.ts';
import { openTestDatabase } from '../harness/database.ts';
import { gtinOf, numbers, tries } from '../harness/fuzz.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';

const database = await forFile(openTestDatabase());

const WINDOW_MS = 90 * 86_400_000;

interface Entry {
  offer_id: bigint;
  observed_at: Date;
  total: bigint | null;
}

/** The average, by looking at each offer in each period between two changes. */
function averageOf(entries: readonly Entry[], now: number): number {
  const byOffer = new Map<bigint, Entry[]>();
  for (const entry of entries) byOffer.set(entry.offer_id, [...(byOffer.get(entry.offer_id) ?? []), entry]);
  const held = [...byOffer.values()].flatMap((own) =>
    own.flatMap(({ total, observed_at }, n) => {
      const since = Math.max(observed_at.getTime(), now - WINDOW_MS);
      const until = Math.min(own[n + 1]?.observed_at.getTime() ?? now, now);
      return total !== null && since < until ? [{ total: Number(total), since, until }] : [];
    }),
  );
  const moments = [...new Set(held.flatMap(({ since, until }) => [since, until]))].sort((one, other) => one - other);
  let [sum, time] = [0, 0];
  for (const [n, since] of moments.entries()) {
    const length = (moments[n + 1] ?? since) - since;
    let lowest = Number.POSITIVE_INFINITY;
    for (const price of held) {
      if (price.since <= since && price.until > since && price.total < lowest) lowest = price.total;
    }
    if (lowest === Number.POSITIVE_INFINITY) continue;
    sum += lowest * length;
    time += length;
  }
  return sum / time;
}

/** Adds random changes of a day in the past to each offer of a product, every `days` days; some of them withdraw it for a while. */
const addHistory = (slug: string, days: number, count: number, seed: number) =>
  database.query(
    `INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, total)
     SELECT product_id, id,
            date_trunc('second', now()) - make_interval(days => day * $2::int + 1, secs => (id * 7919 + day * 104729 + $4::int) % 86400),
            0,
            CASE WHEN (id * 31 + day * 17 + $4::int) % 13 > 0 THEN 900 + (id * 7919 + day * 15486 + $4::int * 31) % 1000 END
     FROM offer
     CROSS JOIN generate_series(0, $3::int - 1) AS day
     WHERE product_id = (SELECT id FROM product WHERE slug = $1)`,
    [slug, days, count, seed],
  );

async function expectDiscount(slug: string) {
  const [product] = await database.query<{ id: bigint; discount: number; min_total: bigint; is_today: boolean }>(
    "SELECT id, discount, min_total, discounted_on = (now() AT TIME ZONE 'UTC')::date AS is_today FROM product WHERE slug = $1",
    [slug],
  );
  const entries = await database.query<Entry>(
    'SELECT offer_id, observed_at, total FROM ledger WHERE product_id = $1 ORDER BY offer_id, observed_at, import_run_id',
    [product?.id],
  );
  const average = averageOf(entries, Date.now());
  const expected = Math.max(0, Math.round(((average - Number(product?.min_total)) * 10_000) / average));
  // The time that has passed since the import may round a figure to the next one.
  expect(Math.abs((product?.discount ?? -1) - expected), `${slug}: ${product?.discount} and ${expected}`).toBeLessThan(
    2,
  );
  expect(product?.is_today).toBe(true);
  return expected;
}

test('discounts of products with few and many prices equal those of a plain calculation', async () => {
  const next = numbers(tries(1).seed ?? Date.now() % 1_000_000);
  const counts = [0, 1, 3, MOST_JOINED / 2 - 1, MOST_JOINED / 2, MOST_JOINED / 2 + 1, MOST_JOINED, 100, 300];
  const rows = (price: string) =>
    counts.map((_, n) => feedRow({ id: `p${n}`, title: `P ${n}`, gtin: gtinOf(430_000_000_000 + n), price }));
  for (const shop of ['One', 'Two']) {
    await importRows(database, shop, rows('9.50 EUR'), { observedAt: new Date(Date.now() - 2 * WINDOW_MS) });
  }
  for (const [n, count] of counts.entries()) await addHistory(`p-${n}`, 1 + next(2), count, next(10_000));
  await importRows(database, 'One', rows('9.00 EUR'));
  const discounts = [];
  for (const n of counts.keys()) discounts.push(await expectDiscount(`p-${n}`));
  expect(Math.max(...discounts)).toBeGreaterThan(100);
});

test('an import of a product with 200 offers that changed on 365 days looks at no more rows than the offers have changes', async () => {
  const gtin = gtinOf(440_000_000_000);
  const row = (n: number, price = '9.50 EUR') => feedRow({ id: `x${n}`, title: 'Busy', gtin, price });
  for (let shop = 0; shop < 10; shop += 1)
    await importRows(
      database,
      `Shop ${shop}`,
      Array.from({ length: 20 }, (_, n) => row(n)),
    );
  await addHistory('busy', 1, 365, 1);
  await database.script('ANALYZE ledger');
  const plans: string[] = [];
  await importRows(explaining(database, plans), 'Shop 0', [row(0, '9.00 EUR')], { mode: 'delta' });
  await expectDiscount('busy');
  expect(plans.length).toBeGreaterThan(0);
  const looked = plans.map((plan) => rowsOf(JSON.parse(plan)[0].Plan)).reduce((sum, rows) => sum + rows, 0);
  // Each of the few steps of the plan passes on the changes once.
  expect(looked / (200 * 366)).toBeLessThan(15);
}, 240_000);

/** The database, which also explains the statements that compare the prices of a product. */
function explaining(home: Database, plans: string[]): Database {
  const transaction: Database['transaction'] = (work) =>
    home.transaction((connection) =>
      work({
        ...connection,
        query: async (sql, parameters, how) => {
          if (/UPDATE product\b/.test(sql) && /FROM ledger/.test(sql)) {
            const explain = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`;
            const [plan] = await connection.query<{ 'QUERY PLAN': unknown }>(explain, parameters);
            plans.push(JSON.stringify(plan?.['QUERY PLAN']));
          }
          return connection.query(sql, parameters, how);
        },
      }),
    );
  return { ...home, transaction };
}

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** The rows that a plan has passed on or discarded. */
function rowsOf(node: PlanNode): number {
  const {
    'Rows Removed by Filter': filtered = 0,
    'Rows Removed by Join Filter': unmatched = 0,
    Plans: parts = [],
  } = node;
  const own = (node['Actual Rows'] + filtered + unmatched) * node['Actual Loops'];
  return parts.reduce((sum, part) => sum + rowsOf(part), own);
}
