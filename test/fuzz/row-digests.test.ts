/** Imports that recognise unchanged rows leave the same catalogue, counts and rejected rows as imports that look at every row. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { observed } from '../../src/database/observed.ts';
import { detachIdentifier } from '../../src/import/detach-identifier.ts';
import { allowIdentifier } from '../../src/import/detachment.ts';
import type { Identifier } from '../../src/import/identifier-name.ts';
import { importTaxonomyText } from '../harness/catalogue.ts';
import { openTestDatabase } from '../harness/database.ts';
import { gtinOf, numbers, tries } from '../harness/fuzz.ts';
import { type FeedRowFields, feedRow, importRows } from '../harness/gateway.ts';

const GTINS = Array.from({ length: 6 }, (_, n) => gtinOf(400_638_133_000 + n));
const ASINS = ['B000000001', 'B000000002', 'B000000003', 'B000000004'];
const SHOPS = ['One', 'Two', 'Three'];
const TREES = ['1 - A\n2 - B\n3 - A > C', '1 - A\n2 - B\n3 - A > C\n4 - B > D', '1 - A\n2 - B\n3 - B > C\n4 - B > D'];
// Later than now, so that an offer moved by an operator has a moment that only its feeds decide.
const START = Date.UTC(2040, 0, 1);
const HOUR_MS = 3_600_000;
const STEPS = 28;

/** Whether a value is a moment of the clock, in words or milliseconds, and not of a feed. */
const isNow = (value: unknown) =>
  typeof value === 'number'
    ? value > Date.UTC(2020) && value < START
    : typeof value === 'string' && /^20[23]\d-/.test(value);

/** All that imports write, in a fixed order, with the moments of the clock left out. */
async function catalogue(database: Database): Promise<Record<string, unknown[]>> {
  const orders = {
    offer: 'id',
    product: 'id',
    product_identifier: 'id',
    product_field: 'product_id, field',
    product_search: 'product_id',
    brand: 'id',
    category: 'id',
    merchant: 'id',
    ledger: 'product_id, offer_id, observed_at, import_run_id',
    offer_seen: 'offer_id',
    identifier_dispute: 'merchant_id, asin',
    import_run: 'id',
    change: 'seq',
    due_product: 'product_id',
    popular_product: 'product_id',
  };
  const tables: Record<string, unknown[]> = {};
  for (const [table, order] of Object.entries(orders)) {
    const rows = await database.query<{ row: unknown }>(
      `SELECT to_jsonb(${table}) AS row FROM ${table} ORDER BY ${order}`,
    );
    tables[table] = rows.map(({ row }) =>
      JSON.parse(JSON.stringify(row), (_, value) => (isNow(value) ? 'now' : withoutNumber(value))),
    );
  }
  return renumber(tables);
}

// An import that starts anew has used up numbers, so the same rows may have others, in the same order.
const NUMBERED: Readonly<Record<string, string>> = {
  product_id: 'product',
  old_product_id: 'product',
  brand_id: 'brand',
  import_run_id: 'run',
};
const IDS: Readonly<Record<string, string>> = {
  product: 'product',
  brand: 'brand',
  import_run: 'run',
  product_identifier: 'identifier',
};

/** A slug or a sentence with slugs without the numbers of products and brands in them. */
const withoutNumber = (value: unknown) => (typeof value === 'string' ? value.replace(/--\d+/g, '--#') : value);

function renumber(tables: Record<string, unknown[]>): Record<string, unknown[]> {
  const kindOf = (table: string, column: string) => (column === 'id' ? IDS[table] : NUMBERED[column]);
  const numbersOf = new Map<string, Set<number>>();
  const all = Object.entries(tables).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row as object).map(([column, value]) => ({ kind: kindOf(table, column), value })),
    ),
  );
  for (const { kind, value } of all) {
    if (kind === undefined || typeof value !== 'number') continue;
    numbersOf.set(kind, (numbersOf.get(kind) ?? new Set()).add(value));
  }
  const ranks = new Map(
    [...numbersOf].map(([kind, set]) => [kind, new Map([...set].sort((a, b) => a - b).map((id, rank) => [id, rank]))]),
  );
  const ofRow = (table: string, row: unknown) =>
    Object.fromEntries(
      Object.entries(row as object).map(([column, value]) => [
        column,
        ranks.get(kindOf(table, column) ?? '')?.get(value) ?? value,
      ]),
    );
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [table, rows.map((row) => ofRow(table, row))]),
  );
}

/** The database, with a count of the rows that imports have recognised. */
function counting(database: Database): { database: Database; recognised(): number } {
  let rows = 0;
  const observe = (statement: { sql: string; rows: number | undefined }) => {
    if (statement.sql.includes('known_offer, known_product)')) rows += statement.rows ?? 0;
  };
  return { database: observed(database, { observe }), recognised: () => rows };
}

function randomRow(next: (limit: number) => number, id: number): FeedRowFields {
  const some = <Value>(values: readonly Value[]) => values[next(values.length)] as Value;
  const isSometimes = (one: number) => next(one) === 0;
  return feedRow({
    id: `${id}`,
    title: `Thing ${next(3)}`,
    price: isSometimes(20) ? 'free' : `${10 + next(3)}.00 EUR`,
    availability: isSometimes(6) ? 'out of stock' : 'in stock',
    ...(isSometimes(2) && { gtin: some(GTINS) }),
    ...(isSometimes(3) && { asin: some(ASINS) }),
    ...(isSometimes(2) && { brand: `Brand ${next(2)}` }),
    ...(isSometimes(2) && { mpn: `M${next(3)}` }),
    ...(isSometimes(3) && { description: `Words ${next(3)}` }),
    ...(isSometimes(3) && { google_product_category: some(['3', '4', 'B > D']) }),
    ...(isSometimes(6) && {
      sale_price: '5.00 EUR',
      sale_price_effective_date: `2040-01-01T${10 + next(6)}:00Z/2040-01-02T${10 + next(6)}:00Z`,
    }),
  });
}

/** The shop's next feed: mostly the rows of its last one. */
function nextFeed(next: (limit: number) => number, last: readonly FeedRowFields[]): FeedRowFields[] {
  const rows = last.flatMap((row) => (next(10) === 0 ? [] : [next(6) === 0 ? randomRow(next, Number(row.id)) : row]));
  for (let added = next(5); added > 0; added -= 1) rows.splice(next(rows.length + 1), 0, randomRow(next, next(20)));
  // Now and then more offers for one product than a shop may have.
  if (next(8) === 0) {
    const gtin = GTINS[0] as string;
    for (let n = 0; n < 23; n += 1) rows.splice(next(rows.length + 1), 0, feedRow({ id: `crowd-${n}`, gtin }));
  }
  return rows;
}

test('recognising unchanged rows changes no outcome of random feeds, moves, detachments and category trees', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pda-digests-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let recognised = 0;
  for (let seed = 1; seed <= tries(4).numRuns; seed += 1) {
    const plain = await openTestDatabase();
    const quick = counting(await openTestDatabase());
    const both = async <Result>(work: (database: Database, isRecognising: boolean) => Promise<Result>) => {
      const outcome = async (database: Database, isRecognising: boolean) =>
        work(database, isRecognising).catch((error: Error) => withoutNumber(`${error.name}: ${error.message}`));
      const [one, other] = [await outcome(plain, false), await outcome(quick.database, true)];
      return { one, other };
    };
    const next = numbers(seed);
    const feeds = new Map<string, FeedRowFields[]>(SHOPS.map((shop) => [shop, []]));
    for (let step = 0; step < STEPS; step += 1) {
      const kind = next(20);
      let did: string;
      let outcomes: { one: unknown; other: unknown };
      if (kind === 0 || step === 0) {
        const tree = TREES[next(TREES.length)] as string;
        did = 'tree';
        outcomes = await both((database) => importTaxonomyText(database, tree));
      } else if (kind <= 2) {
        const identifier = (
          next(2) === 0
            ? { kind: 'gtin', value: `0${GTINS[next(GTINS.length)]}` }
            : { kind: 'asin', value: ASINS[next(ASINS.length)] }
        ) as Identifier;
        const merchant = next(2) === 0 ? SHOPS[next(SHOPS.length)] : undefined;
        did = `detach ${identifier.value} ${merchant}`;
        outcomes =
          next(3) === 0
            ? await both((database) => allowIdentifier(database, identifier))
            : await both(async (database) => {
                const { offers, ...report } = await detachIdentifier(database, { identifier, merchant });
                return JSON.parse(
                  JSON.stringify({ offers: offers.length, ...report, detachedAt: undefined }),
                  (_, value) => withoutNumber(value),
                );
              });
      } else {
        const shop = SHOPS[next(SHOPS.length)] as string;
        const rows = nextFeed(next, feeds.get(shop) ?? []);
        feeds.set(shop, rows);
        const mode = next(3) === 0 ? 'delta' : 'full';
        const observedAt = new Date(START + (step - (next(12) === 0 ? next(6) : 0)) * HOUR_MS);
        const isDryRun = next(12) === 0;
        const isForced = next(4) > 0;
        did = `${shop} ${mode} of ${rows.length} at ${observedAt.toISOString()}`;
        outcomes = await both(async (database, isRecognising) => {
          const rejectsFile = join(folder, `${isRecognising}.jsonl`);
          rmSync(rejectsFile, { force: true });
          const options = { mode, observedAt, isForced, isDryRun, rejectsFile, isRecognising } as const;
          const summary = await importRows(database, shop, rows, options);
          return { summary, rejects: withoutNumber(summary.rejected > 0 ? readFileSync(rejectsFile, 'utf8') : '') };
        });
      }
      const where = `seed ${seed}, step ${step}: ${did}`;
      expect(outcomes.other, where).toEqual(outcomes.one);
      expect(await catalogue(quick.database), where).toEqual(await catalogue(plain));
    }
    recognised += quick.recognised();
    await plain.close();
    await quick.database.close();
  }
  // Otherwise the test would compare an import with itself.
  expect(recognised).toBeGreaterThan(100);
});
