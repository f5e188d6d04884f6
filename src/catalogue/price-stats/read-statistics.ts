/**
 * Reads the ledgers of products for statistics. Ledgers and results are cached until the product changes, because it can
 * have a hundred thousand entries: its ledger is read and judged once, whatever the filters and time spans of the requests. For the same
 * reason, the ledgers of a page of products are never in memory together unless they are short; where the ledger is distributed, four are.
 */
import { setImmediate } from 'node:timers/promises';
import { batched, present } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import { type LedgerHome, ledgerHomeOf } from '../../database/ledger-home.ts';
import { STATEMENTS_AT_ONCE } from '../../database/read-each.ts';
import type { OfferEntries } from '../../ledger/entry.ts';
import { withoutOutliers } from '../../ledger/outliers.ts';
import { MOST_ENTRIES_AT_ONCE, readLedger, readLedgersFromShards, readLengths } from '../../ledger/read-ledger.ts';
import type { SeriesFilter } from '../../ledger/series.ts';
import { remembered } from '../../remember.ts';
import type { TimeSpan } from '../../values/time-span.ts';
import { TaggedCache } from '../tagged-cache.ts';
import { tagOf } from '../tags.ts';
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
// Above this, judging a ledger takes milliseconds, and so do its statistics.
const LONG_LEDGER = 2_000;

/** Opens the reader. @param version decides how long ledgers and results are cached, as in catalogue/keep.ts. */
export function openStatistics(database: Queryable, version: CatalogueVersion) {
  const { changes } = version;
  const source = { database, ...ledgerHomeOf(database) };
  const ledgers = new TaggedCache<bigint, JudgedLedger>(changes, { maxSize: MOST_CACHED_ENTRIES, sizeOf: lengthOf });
  const results = new TaggedCache<string, Promise<Statistics>>(changes, { max: MOST_CACHED_RESULTS });
  const computed = batched<StatisticsKey, Statistics>(async (keys) => {
    const found = new Map<StatisticsKey, Statistics | Error>();
    const isKnown = version.known() !== undefined;
    const compute = async (ledger: JudgedLedger, asked: readonly StatisticsKey[]) => {
      for (const key of asked) {
        found.set(key, computeStatistics(productSeries(ledger, key.filter), key.span));
        if (lengthOf(ledger) > LONG_LEDGER) await setImmediate();
      }
    };
    const unread = new Map<bigint, StatisticsKey[]>();
    for (const key of keys) {
      const cached = isKnown ? ledgers.get(key.productId) : undefined;
      if (cached) await compute(cached, [key]);
      else unread.set(key.productId, [...(unread.get(key.productId) ?? []), key]);
    }
    const { seen } = changes;
    for await (const [productId, ledger] of judgedLedgers(source, [...unread.keys()])) {
      if (ledger instanceof Error) {
        for (const key of unread.get(productId) ?? []) found.set(key, ledger);
        continue;
      }
      if (isKnown) ledgers.set(productId, ledger, [tagOf('product', productId)], seen);
      await compute(ledger, unread.get(productId) ?? []);
    }
    return keys.map((key) => present(found.get(key)));
  });

  return {
    /** The statistics of one product. Concurrent equal requests share one result. */
    load(key: StatisticsKey): Promise<Statistics> {
      if (version.known() === undefined) return computed.load(key);
      const { productId, filter, span } = key;
      const name = [productId, filter.condition, filter.availability, filter.merchantId, span.from, span.until].join(
        ' ',
      );
      return remembered(results.under([tagOf('product', productId)]), name, () => computed.load(key));
    },
  };
}

const lengthOf = ({ offers }: JudgedLedger): number => offers.reduce((sum, { entries }) => sum + entries.length, 1);

interface LedgerSource extends LedgerHome {
  database: Queryable;
}

/** Reads ledgers with one statement, or each from its shard. The error of one ledger fails no other. */
function readGroup(
  { database, read, readEach }: LedgerSource,
  group: readonly bigint[],
): Promise<Map<bigint, OfferEntries[] | Error>> {
  return read<Map<bigint, OfferEntries[] | Error>>(
    () => readLedger(database, group),
    () => readLedgersFromShards(database, readEach, group),
  );
}

/** Reads and judges ledgers one after the other. Other requests are served between long ones. */
async function* judgedLedgers(
  source: LedgerSource,
  productIds: readonly bigint[],
): AsyncGenerator<[productId: bigint, ledger: JudgedLedger | Error]> {
  for await (const group of inGroups(source, productIds)) {
    const read = await readGroup(source, group);
    for (const productId of group) {
      const offers = read.get(productId) ?? [];
      read.delete(productId);
      if (offers instanceof Error) {
        yield [productId, offers];
        continue;
      }
      const ledger = withoutOutliers(offers);
      yield [productId, ledger];
      if (lengthOf(ledger) > LONG_LEDGER) await setImmediate();
    }
  }
}

/**
 * Divides products into groups of at most {@link MOST_ENTRIES_AT_ONCE} entries, or of one product with more. Lengths are one statement, which a
 * lost worker would fail for all: where the ledger is distributed, the groups are small instead.
 */
async function* inGroups(
  { database, isDistributed }: LedgerSource,
  productIds: readonly bigint[],
): AsyncGenerator<readonly bigint[]> {
  if (await isDistributed()) {
    for (let at = 0; at < productIds.length; at += STATEMENTS_AT_ONCE) {
      yield productIds.slice(at, at + STATEMENTS_AT_ONCE);
    }
    return;
  }
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
