/** Imports while several gateways digest: in the end, everything that derives from the ledger equals a computation from scratch. */
import { expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { startDigest } from '../../src/ledger/digest/digest.ts';
import { digestAll } from '../../src/ledger/digest/digest-step.ts';
import { importTaxonomyText } from '../harness/catalogue.ts';
import { openTestDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { gtinOf, numbers, tries } from '../harness/fuzz.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { forTest } from '../harness/lifetime.ts';

const DAY_MS = 86_400_000;
const GTINS = Array.from({ length: 12 }, (_, n) => gtinOf(400_638_133_000 + n));
const AT_ONCE = { firstMs: 0, idleMs: 0, failedMs: 0, stepMs: 0 };
const GATEWAYS = 3;

/** All rows of the derived tables that count for figures, in a fixed order. */
async function derived(database: Database) {
  const deals = await database.query('SELECT * FROM deal ORDER BY product_id, condition, merchant_id');
  const state = await database.query('SELECT * FROM aggregated_product ORDER BY product_id');
  const days = await database.query(
    'SELECT * FROM price_index_day WHERE log_sum <> 0 OR matched <> 0 OR products <> 0 ORDER BY kind, id, day',
  );
  const standings = await database.query(
    'SELECT * FROM merchant_standing WHERE products <> 0 OR out_of_stock <> 0 ORDER BY kind, id, merchant_id',
  );
  const distances = await database.query(
    'SELECT * FROM merchant_distance WHERE products <> 0 ORDER BY kind, id, merchant_id, distance',
  );
  return { deals, state, days, standings, distances };
}

test('after imports of several shops during the digests of several gateways, all derived rows equal those of a new digest', async () => {
  for (let seed = 1; seed <= tries(3).numRuns; seed += 1) {
    const next = numbers(seed);
    const database = await forTest(openTestDatabase());
    const trees = ['1 - A\n2 - B\n3 - A > C\n4 - A > C > D', '1 - A\n2 - B\n3 - B > C\n4 - B > C > D'];
    await importTaxonomyText(database, trees[0] ?? '');
    const errors: unknown[] = [];
    const digests = Array.from({ length: GATEWAYS }, () =>
      startDigest(
        database,
        { onFailure: (error) => errors.push(error), onSetAside: (_, error) => errors.push(error) },
        { pauses: AT_ONCE },
      ),
    );
    const row = (n: number) =>
      feedRow({
        id: `${n}`,
        // Now and then an article's number changes, which moves its offer to another product.
        gtin: GTINS[next(10) === 0 ? next(GTINS.length) : n],
        title: `P${n}`,
        price: `${10 + next(5) + (next(20) === 0 ? 90 : 0)} EUR`,
        availability: next(5) === 0 ? 'out_of_stock' : 'in_stock',
        condition: next(8) === 0 ? 'used' : 'new',
        ...(next(2) === 0 && { brand: `Brand ${n % 3}` }),
        ...(next(2) === 0 && { google_product_category: `${1 + (n % 4)}` }),
      });
    const feeds = async (shop: string) => {
      for (let feed = 0; feed < 8; feed += 1) {
        const rows = GTINS.flatMap((_, n) => (next(4) === 0 ? [] : [row(n)]));
        const observedAt = new Date(Math.floor(Date.now() / DAY_MS - next(40)) * DAY_MS);
        await importRows(database, shop, rows, {
          observedAt,
          mode: next(3) === 0 ? 'delta' : 'full',
          isForced: true,
        });
      }
    };
    const move = async () => {
      for (let n = 1; n < 6; n += 1) await importTaxonomyText(database, trees[n % 2] ?? '');
    };
    await Promise.all([...['One', 'Two', 'Three'].map(feeds), move()]);
    const due = () => database.query('SELECT FROM due_product');
    expect(await eventually(due, (rows) => rows.length === 0, 30_000)).toEqual([]);
    for (const digest of digests) digest.stop();
    expect(errors).toEqual([]);
    const kept = await derived(database);
    expect(kept.days.length).toBeGreaterThan(0);
    await database.script(`
        TRUNCATE deal, aggregated_product, price_index_day, merchant_standing, merchant_distance;
        INSERT INTO due_product SELECT id FROM product ORDER BY id;`);
    await digestAll(database);
    expect(kept).toEqual(await derived(database));
  }
});
