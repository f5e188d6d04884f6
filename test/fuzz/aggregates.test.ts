/** Figures for analysts, kept current by adding and subtracting, compared with plain loops over the whole ledger. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aggregateProducts } from '../../src/ledger/aggregates/aggregate-products.ts';
import type { LedgerEntry, OfferEntries } from '../../src/ledger/entry.ts';
import { withoutOutliers } from '../../src/ledger/outliers.ts';
import { readLedger } from '../../src/ledger/read-ledger.ts';
import { openTestDatabase } from '../harness/database.ts';
import { tries } from '../harness/fuzz.ts';
import { forFile } from '../harness/lifetime.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ORIGIN = Date.parse('2026-02-20T00:00:00Z');
const DAYS = 40;
const PRODUCTS = 3n;
// Each product has an offer of each merchant, and a second one of the first merchant.
const MERCHANTS = [1n, 2n, 3n, 1n];

interface Membership {
  brandId: bigint | null;
  categoryIds: bigint[];
}

/** The figures of one day or merchant, by a name of the group and the day or merchant. */
type Figures = Record<string, unknown>;

function count(figures: Figures, name: string, counts: Readonly<Record<string, bigint | number>>): void {
  const known = (figures[name] ?? {}) as Record<string, bigint>;
  figures[name] = known;
  for (const [member, by] of Object.entries(counts)) known[member] = (known[member] ?? 0n) + BigInt(by);
}

/** What a shop states about an offer at the end of a day. */
function entryAt(offer: OfferEntries, day: number): LedgerEntry | undefined {
  let last: LedgerEntry | undefined;
  for (const entry of offer.entries) if (entry.at < ORIGIN + (day + 1) * DAY_MS) last = entry;
  return last;
}

const priceAt = (offer: OfferEntries, day: number): bigint | null => entryAt(offer, day)?.total || null;
const isStatedAt = (offer: OfferEntries, day: number): boolean => entryAt(offer, day)?.shipping != null;

const logOf = (price: bigint) => BigInt(Math.round(Math.log(Number(price)) * 1e10));

/** Looks at each offer on each day: sums of logarithms, and numbers of matched offers and products. */
function indexByTheDay(
  ledger: ReadonlyMap<bigint, OfferEntries[]>,
  members: ReadonlyMap<bigint, Membership>,
  now: number,
): Figures {
  const figures: Figures = {};
  for (let day = -1; day <= DAYS + 2; day++) {
    for (const [product, all] of ledger) {
      const { brandId, categoryIds } = members.get(product) ?? { brandId: null, categoryIds: [] };
      const { offers } = withoutOutliers(all, now);
      const matched = offers.filter(
        (offer) =>
          priceAt(offer, day - 1) && priceAt(offer, day) && isStatedAt(offer, day - 1) === isStatedAt(offer, day),
      );
      const groups = [...(brandId ? [`brand ${brandId}`] : []), ...categoryIds.map((id) => `category ${id}`)];
      const scopes = [
        ...groups.map((group) => ({ group, own: matched })),
        ...[1n, 2n, 3n].map((id) => ({
          group: `merchant ${id}`,
          own: matched.filter(({ merchantId }) => merchantId === id),
        })),
      ];
      for (const { group, own } of scopes) {
        if (own.length === 0) continue;
        let log = 0n;
        for (const offer of own) log += logOf(priceAt(offer, day) ?? 1n) - logOf(priceAt(offer, day - 1) ?? 1n);
        count(figures, `${group} ${day}`, { log, matched: own.length, products: 1 });
      }
    }
  }
  return figures;
}

/** The same from the table: numbers are sums of their changes. */
async function indexOfTable(): Promise<Figures> {
  const rows = await database.query<{ name: string; day: number; log: bigint; matched: number; products: number }>(
    `SELECT kind || ' ' || id AS name, day - '2026-02-20'::date AS day, log_sum AS log, matched, products
     FROM price_index_day
     ORDER BY kind, id, day`,
  );
  const figures: Figures = {};
  for (const name of new Set(rows.map((row) => row.name))) {
    let [matched, products] = [0n, 0n];
    for (let day = -1; day <= DAYS + 2; day++) {
      const row = rows.find((each) => each.name === name && each.day === day);
      matched += BigInt(row?.matched ?? 0);
      products += BigInt(row?.products ?? 0);
      const log = row?.log ?? 0n;
      if (matched !== 0n || products !== 0n || log !== 0n) figures[`${name} ${day}`] = { log, matched, products };
    }
  }
  return figures;
}

/** Compares every merchant with every other at every product. */
function standingsByHand(
  ledger: ReadonlyMap<bigint, OfferEntries[]>,
  members: ReadonlyMap<bigint, Membership>,
  now: number,
): { counts: Figures; distances: Figures } {
  const [counts, distances]: [Figures, Figures] = [{}, {}];
  for (const [product, all] of ledger) {
    const { brandId, categoryIds } = members.get(product) ?? { brandId: null, categoryIds: [] };
    const groups = [...(brandId ? [`brand ${brandId}`] : []), ...categoryIds.map((id) => `category ${id}`)];
    const newest = withoutOutliers(all, now)
      .offers.flatMap(({ merchantId, entries }) => {
        const last = entries.at(-1);
        return last ? [{ merchantId, last }] : [];
      })
      .filter(({ last }) => last.total && last.condition === 'new' && last.availability);
    const stocked = newest.filter(({ last }) => last.availability === 'in_stock');
    for (const merchantId of new Set(newest.map((each) => each.merchantId))) {
      const own = stocked.filter((each) => each.merchantId === merchantId);
      const others = stocked.filter((each) => each.merchantId !== merchantId);
      const stated = stocked.filter(({ last }) => last.shipping !== null);
      const ownStated = own.filter((each) => stated.includes(each));
      const price = lowestOf(ownStated.length > 0 ? ownStated : own);
      const lowest = lowestOf(stated.length > 0 ? stated : stocked);
      const isComparable = own.length > 0 && (ownStated.length > 0 || stated.length === 0);
      for (const group of groups) {
        count(counts, `${group} ${merchantId}`, {
          products: 1,
          cheapest: isComparable && price === lowest ? 1 : 0,
          alone: own.length > 0 && others.length === 0 ? 1 : 0,
          out: own.length === 0 ? 1 : 0,
        });
        if (isComparable) {
          const percent = Math.floor(((price - lowest) * 1000) / lowest) / 10;
          const from =
            percent >= 1000
              ? 1000
              : percent >= 100
                ? Math.floor(percent / 10) * 10
                : percent >= 20
                  ? Math.floor(percent)
                  : percent;
          count(distances, `${group} ${merchantId} ${from}`, { products: 1 });
        }
      }
    }
  }
  return { counts, distances };
}

const lowestOf = (some: readonly { last: LedgerEntry }[]) => Math.min(...some.map(({ last }) => Number(last.total)));

async function standingsOfTable(): Promise<{ counts: Figures; distances: Figures }> {
  const counts: Figures = {};
  for (const { name, ...row } of await database.query<Record<string, bigint> & { name: string }>(
    `SELECT kind || ' ' || id || ' ' || merchant_id AS name, products::bigint, cheapest::bigint, alone::bigint, out_of_stock::bigint AS out
     FROM merchant_standing
     WHERE products <> 0 OR cheapest <> 0 OR alone <> 0 OR out_of_stock <> 0`,
  )) {
    counts[name] = row;
  }
  const { distanceOf } = await import('../../src/ledger/aggregates/distance.ts');
  const distances: Figures = {};
  for (const { name, distance, products } of await database.query<{ name: string; distance: number; products: bigint }>(
    `SELECT kind || ' ' || id || ' ' || merchant_id AS name, distance, products::bigint FROM merchant_distance WHERE products <> 0`,
  )) {
    distances[`${name} ${distanceOf(distance)}`] = { products };
  }
  return { counts, distances };
}

const total = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant(0n) },
  { weight: 4, arbitrary: fc.bigInt(900n, 1100n) },
  { weight: 3, arbitrary: fc.bigInt(1n, 20_000n) },
);
const entry = fc.record({
  offer: fc.integer({ min: 1, max: Number(PRODUCTS) * MERCHANTS.length }),
  // A few days and hours, so that several entries have one time or one day.
  at: fc.oneof(
    fc.nat(DAYS * 24 - 1).map((hour) => ORIGIN + hour * HOUR_MS),
    fc.nat(9).map((day) => ORIGIN + day * DAY_MS),
    fc.nat(9).map((day) => ORIGIN + day * DAY_MS - 1),
  ),
  total,
  isStated: fc.boolean(),
  availability: fc.constantFrom('in_stock', 'in_stock', 'in_stock', 'out_of_stock', 'preorder', null),
  condition: fc.constantFrom('new', 'new', 'new', 'used', null),
});
const step = fc.record({
  entries: fc.array(entry, { maxLength: 15 }),
  moved: fc.option(
    fc.record({
      product: fc.bigInt(1n, PRODUCTS),
      brandId: fc.constantFrom(null, 7n, 8n),
      // A path in a tree of categories, from the category up.
      categoryIds: fc.constantFrom<bigint[]>([], [1n], [2n, 1n], [3n, 2n, 1n], [4n, 1n]),
    }),
  ),
  /** Half days until the products are brought up to date. */
  passed: fc.nat(12),
  /** The products that are brought up to date after the step, in any order. */
  due: fc.uniqueArray(fc.bigInt(1n, PRODUCTS)),
});

const database = await forFile(openTestDatabase());
await database.script(`
    INSERT INTO merchant (slug, name) SELECT 'm' || n, 'M' || n FROM generate_series(1, 3) AS n;
    INSERT INTO product (slug, name, sort_name) SELECT 'p' || n, 'P' || n, 'p' || n FROM generate_series(1, ${PRODUCTS}) AS n;`);
for (let product = 1n; product <= PRODUCTS; product++) {
  for (const [index, merchant] of MERCHANTS.entries()) {
    await database.query(
      `INSERT INTO offer (merchant_id, sku, product_id, price, total, availability, condition, link, created_at, updated_at)
         VALUES ($1, $2, $3, 1, 1, 'in_stock', 'new', 'https://a.example', now(), now())`,
      [merchant, `${product}-${index}`, product],
    );
  }
}

test('after any changes in any order, the figures equal those of plain loops over the whole ledger', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await database.script(
        'TRUNCATE ledger, aggregated_product, price_index_day, merchant_standing, merchant_distance',
      );
      const members = new Map<bigint, Membership>();
      let now = ORIGIN;
      const bringUpToDate = (ids: readonly bigint[]) =>
        database.transaction(async (transaction) => {
          const ledger = await readLedger(transaction, ids);
          const products = ids.map((id) => ({
            id,
            ...(members.get(id) ?? { brandId: null, categoryIds: [] }),
            offers: ledger.get(id) ?? [],
            judged: withoutOutliers(ledger.get(id) ?? [], now),
            now,
          }));
          await aggregateProducts(transaction, products);
        });
      for (const [index, { entries, moved, due, passed }] of steps.entries()) {
        await insert(entries, BigInt(index));
        now += (passed * DAY_MS) / 2;
        if (moved) members.set(moved.product, moved);
        await bringUpToDate(due);
        const others = [1n, 2n, 3n].filter((id) => !due.includes(id));
        if (index % 2 === 1 || index === steps.length - 1) {
          await bringUpToDate(others);
          const ledger = await readLedger(database, [1n, 2n, 3n]);
          expect(await indexOfTable()).toEqual(indexByTheDay(ledger, members, now));
          expect(await standingsOfTable()).toEqual(standingsByHand(ledger, members, now));
        }
      }
    }),
    tries(40),
  );
});

interface Inserted {
  offer: number;
  at: number;
  total: bigint | null;
  isStated: boolean;
  availability: string | null;
  condition: string | null;
}

/** Inserts what an import records: at most one entry of an offer for a time. */
async function insert(entries: readonly Inserted[], importRunId: bigint): Promise<void> {
  const unique = [...new Map(entries.map((each) => [`${each.offer} ${each.at}`, each])).values()];
  await database.query(
    `INSERT INTO ledger (product_id, offer_id, observed_at, import_run_id, total, shipping, availability, condition)
     SELECT offer.product_id, offer.id, told.at::timestamptz, $1::bigint, told.total, told.shipping, told.availability::availability, told.condition::condition
     FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::bigint[])
       AS told (offer, at, total, availability, condition, shipping)
     JOIN offer ON offer.id = told.offer`,
    [
      importRunId,
      unique.map(({ offer }) => offer),
      unique.map(({ at }) => new Date(at).toISOString()),
      unique.map((each) => each.total),
      unique.map((each) => each.availability),
      unique.map((each) => each.condition),
      unique.map((each) => (each.total !== null && each.isStated ? 0n : null)),
    ],
  );
}
