/**
 * Reads the ledgers of products for statistics. Ledgers and results are cached until the product changes, because it can
 * have a hundred thousand entries: its ledger is read and judged once, whatever the filters and time spans of the requests. For the same
 * reason, the ledgers of a page of products are never in memory together unless they are short; where the ledger is distributed, four are.
 */
import { setImmediate } from 'node:timers/promises';
import { batched, present, sharedInTurn } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { ledgerHomeOf } from '../../database/ledger-home.ts';
import { type JudgedLedger, withoutOutliers } from '../../ledger/outliers.ts';
import { MOST_ENTRIES_AT_ONCE, openShardLedgers, readLedger, readLengths } from '../../ledger/read-ledger.ts';
import type { SeriesFilter } from '../../ledger/series.ts';
import { remembered } from '../../remember.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import { TaggedCache } from '../tagged-cache.ts';
import { tagOf } from '../tags.ts';
import type { CatalogueVersion } from '../version.ts';
import { productSeries } from './product-series.ts';
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
const HOUR_MS = 3_600_000;
// Above this, judging a ledger takes milliseconds, and so do its statistics.
const LONG_LEDGER = 2_000;

/** Opens the reader. @param version decides how long ledgers and results are cached, as in catalogue/keep.ts. */
export function openStatistics(database: Queryable, version: CatalogueVersion) {
  const { changes } = version;
  const ledgers = new TaggedCache<bigint, JudgedLedger>(changes, { maxSize: MOST_CACHED_ENTRIES, sizeOf: lengthOf });
  const results = new TaggedCache<string, Promise<Statistics>>(changes, { max: MOST_CACHED_RESULTS });
  const cachedLedger = (productId: bigint): JudgedLedger | undefined => {
    const ledger = ledgers.get(productId);
    return ledger && ledger.changesAt > Date.now() ? ledger : undefined;
  };
  const computed = batched<StatisticsKey, Statistics>(async (keys) => {
    const found = new Map<StatisticsKey, Statistics>();
    const isKnown = version.known() !== undefined;
    const compute = async (ledger: JudgedLedger, asked: readonly StatisticsKey[]) => {
      for (const key of asked) {
        found.set(key, computeStatistics(productSeries(ledger, key.filter, key.span.until), key.span));
        if (lengthOf(ledger) > LONG_LEDGER) await setImmediate();
      }
    };
    const unread = new Map<bigint, StatisticsKey[]>();
    for (const key of keys) {
      const cached = isKnown ? cachedLedger(key.productId) : undefined;
      if (cached) await compute(cached, [key]);
      else unread.set(key.productId, [...(unread.get(key.productId) ?? []), key]);
    }
    const { seen } = changes;
    for await (const [productId, ledger] of judgedLedgers(database, [...unread.keys()])) {
      if (isKnown) ledgers.set(productId, ledger, [tagOf('product', productId)], seen);
      await compute(ledger, unread.get(productId) ?? []);
    }
    return keys.map((key) => present(found.get(key)));
  });

  const home = ledgerHomeOf(database);
  const ofShard = openShardLedgers(database);
  const shared = sharedInTurn<JudgedLedger>();
  const readJudged = async (productId: bigint): Promise<JudgedLedger> => {
    const isKnown = version.known() !== undefined;
    const { seen } = changes;
    const ledger = withoutOutliers(await ofShard(productId), Date.now());
    if (isKnown) ledgers.set(productId, ledger, [tagOf('product', productId)], seen);
    return ledger;
  };
  const judgedOfShard = async (productId: bigint): Promise<JudgedLedger> => {
    const cached = version.known() === undefined ? undefined : cachedLedger(productId);
    return cached ?? shared(`${productId} ${changes.seen}`, () => home.inTurn(() => readJudged(productId)));
  };
  const compute = (key: StatisticsKey) =>
    home.read(
      () => computed.load(key),
      async () =>
        computeStatistics(productSeries(await judgedOfShard(key.productId), key.filter, key.span.until), key.span),
    );

  return {
    /** The statistics of one product. Concurrent equal requests share one result. */
    load(key: StatisticsKey): Promise<Statistics> {
      if (version.known() === undefined) return compute(key);
      const { productId, filter, span } = key;
      // An outlier counts when its shop has stated it for three days, which changes the figures of past days too.
      const hour = Math.floor(Date.now() / HOUR_MS);
      const { condition, availability, merchantId, shippingKnown } = filter;
      const name = [productId, condition, availability, merchantId, shippingKnown, span.from, span.until, hour].join(
        ' ',
      );
      return remembered(results.under([tagOf('product', productId)]), name, () => compute(key));
    },
  };
}

const lengthOf = ({ offers }: JudgedLedger): number => offers.reduce((sum, { entries }) => sum + entries.length, 1);

/** Reads and judges ledgers one after the other. Other requests are served between long ones. */
async function* judgedLedgers(
  database: Queryable,
  productIds: readonly bigint[],
): AsyncGenerator<[productId: bigint, ledger: JudgedLedger]> {
  for await (const group of inGroups(database, productIds)) {
    const read = await readLedger(database, group);
    for (const productId of group) {
      const ledger = withoutOutliers(read.get(productId) ?? [], Date.now());
      read.delete(productId);
      yield [productId, ledger];
      if (lengthOf(ledger) > LONG_LEDGER) await setImmediate();
    }
  }
}

/** Divides products into groups of at most {@link MOST_ENTRIES_AT_ONCE} entries, or of one product with more. */
async function* inGroups(database: Queryable, productIds: readonly bigint[]): AsyncGenerator<bigint[]> {
  const lengths = productIds.length > 1 ? await readLengths(database, productIds) : undefined;
  let [group, entries]: [bigint[], number] = [[], 0];
  for (const productId of productIds) {
    const length = lengths?.get(productId) ?? 0;
    if (group.length > 0 && entries + length > MOST_ENTRIES_AT_ONCE) {
      yield group;
      [group, entries] = [[], 0];
    }
    group.push(productId);
    entries += length;
  }
  if (group.length > 0) yield group;
}
