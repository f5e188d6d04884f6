/** Reads a feed into its staging table. */
import type { AcceptedRows } from './coverage.ts';
import type { DiskGuard } from './disk-space.ts';
import type { ImportProgress, StartedImport } from './import-request.ts';
import { isRejection, normaliseItem } from './item.ts';
import type { MarketAt } from './item-price.ts';
import { readFeed } from './readers/read-feed.ts';
import { openFeed } from './readers/source.ts';
import { BrokenFeed } from './reject.ts';
import type { Rejects } from './rejects.ts';
import type { StagedRow, Staging } from './staging.ts';

export interface Outlets {
  staging: Staging;
  rejects: Rejects;
  disks: DiskGuard;
  /** Only of observed imports. */
  accepted: AcceptedRows | undefined;
}

const ROWS_A_STATEMENT = 2_000;

/** Reads, checks and stages or rejects all rows, and returns their number. @throws {BrokenFeed} when the feed as a whole is unusable. */
export async function stageFeed(
  { staging, rejects, disks, accepted }: Outlets,
  market: MarketAt,
  { feed, encoding, isPrivateAllowed = false, limits }: StartedImport,
  onProgress: (progress: ImportProgress) => void,
): Promise<number> {
  const source = await openFeed(feed, { isPrivateAllowed, maxBytes: limits.maxBytes });
  let waiting: StagedRow[] = [];
  let appending: Promise<void> = Promise.resolve();
  let read = 0;
  const tooMany = `the feed has more than ${limits.maxRows} rows, so nothing was changed; raise the limit with --max-rows, or split the feed and import each part with --delta`;
  // The next rows are read while the last ones are sent; memory never holds more than two batches.
  const append = async () => {
    await appending;
    await disks.requireRoom(0, rejects.room);
    appending = staging.append(waiting);
    appending.catch(() => {}); // Awaited with the next batch, or at the end.
    waiting = [];
    onProgress({ phase: 'reading', rows: read, bytes: source.bytesRead(), totalBytes: source.totalBytes });
  };

  for await (const rows of readFeed(source.bytes, { encoding })) {
    for (const row of rows) {
      read += 1;
      if (read > limits.maxRows) throw new BrokenFeed(tooMany, { line: row.line });
      const outcome = normaliseItem(row, market, staging.productFields);
      if (isRejection(outcome)) {
        const { line, id: sku, reason: fault } = outcome;
        rejects.add(outcome);
        if (sku !== undefined) waiting.push({ position: read, line, sku, fault });
      } else {
        accepted?.add(read, row.fields);
        waiting.push({ position: read, line: outcome.line, sku: outcome.sku, item: outcome });
      }
      if (waiting.length >= ROWS_A_STATEMENT) await append();
    }
  }
  await append();
  await appending;
  return read;
}
