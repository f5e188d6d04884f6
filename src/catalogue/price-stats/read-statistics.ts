/**
 * Reads the ledgers of products for statistics. Ledgers and results are cached until the catalogue changes, because a product can
 * have a hundred thousand entries: its ledger is read and judged once, whatever the filters and time spans of the requests.
 */
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { withoutOutliers } from '../../ledger/outliers.ts';
import { readLedger } from '../../ledger/read-ledger.ts';
import type { SeriesFilter } from '../../ledger/series.ts';
import { remembered } from '../../remember.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import type { CatalogueVersion } from '../version.ts';
import { type JudgedLedger, productSeries } from './product-series.ts';
import { computeStatistics, type Statistics } from './statistics.ts';

/** A product, the offers that count, and the time span. */
export interface StatisticsKey {
  productId: bigint;
  filter: SeriesFilter;
  span: TimeSpan;
}

// About 40 MB.
const MOST_CACHED_ENTRIES = 200_000;
// Each up to 3 kB.
const MOST_CACHED_RESULTS = 2_000;
// Products whose ledgers are in memory at the same time: a page of a list.
const PRODUCTS_AT_ONCE = 100;
// Above this, judging a ledger takes milliseconds.
const LONG_LEDGER = 2_000;

/** Opens the reader. @param version decides how long ledgers and results are cached, as in catalogue/keep.ts. */
export function openStatistics(database: Queryable, version: CatalogueVersion) {
  const ledgers = new LRUCache<bigint, JudgedLedger>({
    maxSize: MOST_CACHED_ENTRIES,
    sizeCalculation: ({ offers }) => offers.reduce((sum, { entries }) => sum + entries.length, 1),
  });
  const results = new LRUCache<string, Promise<Statistics>>({ max: MOST_CACHED_RESULTS });
  const reading = new Map<bigint, Promise<JudgedLedger>>();
  let cachedOf: bigint | undefined;
  const judged = batched<bigint, JudgedLedger>((productIds) => judgeLedgers(database, productIds));

  /** The known version; caches of another version are emptied. */
  const currentVersion = () => {
    const known = version.known();
    if (known === undefined || known === cachedOf) return known;
    for (const cache of [ledgers, results, reading]) cache.clear();
    cachedOf = known;
    return known;
  };

  const ledgerOf = async (productId: bigint): Promise<JudgedLedger> => {
    const known = currentVersion();
    if (known === undefined) return judged.load(productId);
    const cached = ledgers.get(productId);
    if (cached) return cached;
    const read = remembered(reading, productId, () => judged.load(productId));
    const ledger = await read;
    if (reading.get(productId) === read) {
      reading.delete(productId);
      ledgers.set(productId, ledger);
    }
    return ledger;
  };

  const compute = async ({ productId, filter, span }: StatisticsKey) =>
    computeStatistics(productSeries(await ledgerOf(productId), filter), span);

  return {
    /** The statistics of one product. Concurrent equal requests share one result. */
    load(key: StatisticsKey): Promise<Statistics> {
      if (currentVersion() === undefined) return compute(key);
      const { productId, filter, span } = key;
      const name = [productId, filter.condition, filter.availability, filter.merchantId, span.from, span.until].join(
        ' ',
      );
      return remembered(results, name, () => compute(key));
    },
  };
}

/** Reads and judges ledgers, a few at a time. Other requests are served between long ones. */
async function judgeLedgers(database: Queryable, productIds: readonly bigint[]): Promise<JudgedLedger[]> {
  const judged = new Map<bigint, JudgedLedger>();
  const asked = [...new Set(productIds)];
  for (let start = 0; start < asked.length; start += PRODUCTS_AT_ONCE) {
    const ledgers = await readLedger(database, asked.slice(start, start + PRODUCTS_AT_ONCE));
    for (const [productId, offers] of ledgers) {
      judged.set(productId, withoutOutliers(offers));
      if (offers.reduce((sum, { entries }) => sum + entries.length, 0) > LONG_LEDGER) await setImmediate();
    }
  }
  return productIds.map((productId) => judged.get(productId) ?? { offers: [], outliers: [] });
}
