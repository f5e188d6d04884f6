/** Reads a feed into its staging table. */
import type { AcceptedRows } from './coverage.ts';
import type { DiskGuard } from './disk-space.ts';
import { resolveEntities } from './html-entities.ts';
import type { ImportProgress, StartedImport } from './import-request.ts';
import { isRejection, normaliseItem, skuOf } from './item.ts';
import { type MarketAt, notePriceChange } from './item-price.ts';
import type { KnownRows } from './known-rows.ts';
import { type MpnClaim, mpnClaimOf } from './mpn-claim.ts';
import type { FeedRow } from './readers/feed-row.ts';
import { readFeed } from './readers/read-feed.ts';
import { openFeed } from './readers/source.ts';
import { BrokenFeed } from './reject.ts';
import type { Rejects } from './rejects.ts';
import { restAsWorked } from './rest-as-worked.ts';
import { openRowDigests } from './row-digest.ts';
import type { StagedRow, Staging } from './staging.ts';

export interface Outlets {
  staging: Staging;
  rejects: Rejects;
  disks: DiskGuard;
  /** Only of observed imports. */
  accepted: AcceptedRows | undefined;
  knownRows: KnownRows;
}

/** A row that was read. */
interface Numbered {
  position: number;
  row: FeedRow;
  digest?: string | undefined;
  claim: MpnClaim | undefined;
}

const ROWS_A_STATEMENT = 2_000;
// Rows of usual length come to a tenth of it.
const CHARACTERS_A_STATEMENT = 16 * 1024 * 1024;
// A row takes about a tenth of a millisecond.
const ROWS_A_REST = 10;

/** Reads, checks and stages or rejects all rows, and returns their number. @throws {BrokenFeed} when the feed as a whole is unusable. */
export async function stageFeed(
  outlets: Outlets,
  market: MarketAt,
  { feed, encoding, isPrivateAllowed = false, isInBackground = false, limits, signal }: StartedImport,
  onProgress: (progress: ImportProgress) => void,
): Promise<number> {
  const { staging, rejects, disks, knownRows } = outlets;
  const source = await openFeed(feed, { isPrivateAllowed, maxBytes: limits.maxBytes });
  const digestOf = openRowDigests(market, staging.productFields, knownRows.taxonomyVersion);
  let waiting: Numbered[] = [];
  let characters = 0;
  let underWay: Promise<void> = Promise.resolve();
  let read = 0;
  const tooMany = `the feed has more than ${limits.maxRows} rows, so nothing was changed; raise the limit with --max-rows, or split the feed and import each part with --delta`;
  // The next rows are read while the last ones are sent; memory never holds more than two batches.
  const stageWaiting = async () => {
    await underWay;
    await disks.requireRoom(0, rejects.room);
    underWay = stageBatch(outlets, market, waiting, isInBackground);
    underWay.catch(() => {}); // Awaited with the next batch, or at the end.
    waiting = [];
    characters = 0;
    onProgress({ phase: 'reading', rows: read, bytes: source.bytesRead(), totalBytes: source.totalBytes });
  };

  try {
    for await (const rows of readFeed(source.bytes, { encoding })) {
      for (const row of rows) {
        read += 1;
        if (read > limits.maxRows) throw new BrokenFeed(tooMany, { line: row.line });
        resolveEntities(row);
        const { digest, length } = digestOf(row);
        waiting.push({ position: read, row, digest, claim: mpnClaimOf(row.fields) });
        characters += length;
        if (read % ROWS_A_REST === 0) {
          signal?.throwIfAborted();
          if (isInBackground) await restAsWorked();
        }
        if (waiting.length >= ROWS_A_STATEMENT || characters >= CHARACTERS_A_STATEMENT) await stageWaiting();
      }
    }
    await stageWaiting();
  } catch (error) {
    // The rows before the break are judged too: for the rejects file and the report to the shop.
    if (error instanceof BrokenFeed)
      underWay = underWay.then(() => stageBatch(outlets, market, waiting, isInBackground));
    throw error;
  } finally {
    // After an error too: the staging table must not be dropped under a statement, nor the list of rejected rows closed.
    await underWay.catch(() => {});
  }
  await underWay;
  return read;
}

/** Stages rows of which the catalogue knows the outcome as they are, and checks the others. */
async function stageBatch(
  { staging, rejects, knownRows, accepted }: Outlets,
  market: MarketAt,
  rows: readonly Numbered[],
  isInBackground: boolean,
): Promise<void> {
  const candidates = rows.flatMap(({ position, row, digest, claim }) =>
    digest === undefined ? [] : [{ position, line: row.line, sku: skuOf(row), digest, claim }],
  );
  const known = await knownRows.stage(staging, candidates);
  const staged: StagedRow[] = [];
  for (const { position, row, digest, claim } of rows) {
    if (isInBackground && position % ROWS_A_REST === 0) await restAsWorked();
    if (known.has(position)) {
      accepted?.add(position, row.fields);
      notePriceChange(row.fields, market);
      continue;
    }
    const outcome = normaliseItem(row, market, staging.productFields);
    if (isRejection(outcome)) {
      const { line, id: sku, reason: fault } = outcome;
      rejects.add(outcome);
      if (sku !== undefined) staged.push({ position, line, sku, fault });
    } else {
      accepted?.add(position, row.fields);
      staged.push({ position, line: outcome.line, sku: outcome.sku, item: outcome, digest, claim });
    }
  }
  if (staged.length > 0) await staging.append(staged);
}
