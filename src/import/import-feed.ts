/** Imports a feed: rows are read, checked and staged; then they are matched and written, all in one transaction. */
import { recordAudit } from '../access/audit.ts';
import type { Database } from '../database/database.ts';
import { named } from '../database/observed.ts';
import { openAcceptedRows } from './coverage.ts';
import { BYTES_MATCHED_A_ROW, bytesToWrite, type DiskGuard, openDiskGuard } from './disk-space.ts';
import { FeedRefused, isTooMuch, refused } from './feed-refused.ts';
import {
  DEFAULT_LIMITS,
  ImportGivenUp,
  type ImportProgress,
  type ImportRequest,
  type ImportSummary,
  type StartedImport,
} from './import-request.ts';
import { nextRunId, recordFailure, recordRun } from './import-run.ts';
import type { FeedMarket } from './item-price.ts';
import { openKnownRows, RowsAffected } from './known-rows.ts';
import { matchProducts } from './match.ts';
import { addRejections, hasFaults } from './matching-rejects.ts';
import { rejectSurplus } from './offer-limit.ts';
import { placeFeed } from './placed-feed.ts';
import { planWrites } from './plan-writes.ts';
import { refreshStatistics } from './refresh-statistics.ts';
import { BrokenFeed } from './reject.ts';
import { openRejects } from './rejects.ts';
import { type Outlets, stageFeed } from './stage-feed.ts';
import { openStaging } from './staging.ts';
import { writeFeed } from './write.ts';
import { writeAlone } from './write-lock.ts';

/**
 * Imports a feed: all of it or nothing, except that a row that cannot be used costs only that row.
 * @throws {BrokenFeed} when the feed is cut off, of no known format, or beyond a limit.
 * @throws {DiskTooFull}
 * @throws {FeedRefused} when a full feed would withdraw more than half of the shop's offers.
 */
export async function importFeed(
  database: Database,
  market: FeedMarket,
  request: ImportRequest,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportSummary> {
  const limits = { ...DEFAULT_LIMITS, ...request.limits };
  const started: StartedImport = { ...request, limits, startedAt: new Date() };
  const disks = openDiskGuard(database, request.rejectsFile, limits.minFreeBytes);
  await disks.requireRoom(0, limits.maxRejects);
  let isImported = false;
  const attempt = (isRecognising: boolean) =>
    importOnce(database, market, started, disks, isRecognising, onProgress, () => {
      isImported = true;
    });
  try {
    return await attempt(request.isRecognising ?? true).catch((error: unknown) => {
      if (!(error instanceof RowsAffected)) throw error;
      request.observer?.onRestart?.();
      return attempt(false);
    });
  } catch (error) {
    // What fails after the commit has not undone it.
    const hasFailed = !(isImported || request.isDryRun || error instanceof ImportGivenUp);
    if (hasFailed) await recordFailure(database, started, reasonOf(error));
    throw error;
  }
}

/** @throws {RowsAffected} when rows were recognised whose outcome another import has changed meanwhile. */
async function importOnce(
  database: Database,
  market: FeedMarket,
  request: StartedImport,
  disks: DiskGuard,
  isRecognising: boolean,
  onProgress: (progress: ImportProgress) => void,
  onImported: () => void,
): Promise<ImportSummary> {
  const { observedAt, isDryRun = false } = request;
  const stage = named(database, 'import_stage');
  const rejects = openRejects(request.rejectsFile, request.limits.maxRejects, request.observer);
  const knownRows = await openKnownRows(stage, request, isRecognising);
  const staging = await openStaging(database, request.productFields);
  const accepted = request.observer && openAcceptedRows(request.observer);
  const outlets: Outlets = { staging, rejects, disks, knownRows, accepted };
  let isImported = false;
  let pricesChangeAt: Date | undefined;
  const onPriceChange = (at: Date) => {
    if (!pricesChangeAt || at < pricesChangeAt) pricesChangeAt = at;
  };
  try {
    const marketAt = { ...market, observedAt, onPriceChange };
    const read = await stageFeed(outlets, marketAt, request, onProgress);
    onProgress({ phase: 'writing', rows: read, bytes: 0 });
    await disks.requireRoom(read * BYTES_MATCHED_A_ROW, 0);
    const summary = await write(database, outlets, request, read, pricesChangeAt);
    isImported = !isDryRun;
    if (isImported) onImported();
    if (!isDryRun) await refreshStatistics(database, summary);
    return summary;
  } finally {
    // Closing the list of rejected rows may fail; the staging table is dropped all the same.
    await rejects.close(isImported).finally(() => staging.drop());
  }
}

// For a few rows, opening a connection to a worker for each shard would take longer than everything else. Does nothing without Citus.
const FEW_ROWS = 2_000;
const ONE_CONNECTION = `
  SELECT set_config('citus.multi_shard_modify_mode', 'sequential', TRUE)
  WHERE to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL`;

/** Matches and writes the staged rows in one transaction. */
async function write(
  database: Database,
  { staging, rejects, disks, knownRows, accepted }: Outlets,
  request: StartedImport,
  read: number,
  pricesChangeAt: Date | undefined,
): Promise<ImportSummary> {
  await staging.analyse();
  return writeAlone(database, request.isDryRun ?? false, async (transaction) => {
    if (read <= FEW_ROWS) await transaction.query(ONE_CONNECTION);
    const placed = await placeFeed(transaction, staging, request, knownRows.areSome);
    await knownRows.confirm(placed);
    const within = (phase: string) => ({ ...placed, transaction: named(transaction, phase) });
    const identifiersMoved = await matchProducts(within('import_match'));
    const surplus = await rejectSurplus(within('import_plan'), rejects.count > 0 || (await hasFaults(transaction)));
    const withdrawals = await planWrites(within('import_plan'), surplus > 0);
    if (!request.isForced && isTooMuch(withdrawals)) throw refused(request.merchant, withdrawals);
    await disks.requireRoom(await bytesToWrite(transaction, staging), rejects.room);
    // After matching, whose moves of offers have numbers of their own.
    const runId = await nextRunId(transaction);
    const { added, changed, withdrawn } = await writeFeed({ ...within('import_write'), runId });
    await addRejections(transaction, staging, rejects, accepted);
    const { count: rejected, reasons, notWritten: rejectsNotWritten } = rejects;
    const same = read - rejected - added - changed;
    const offers = { read, new: added, changed, same, withdrawn };
    const moved = identifiersMoved > 0 && { identifiersMoved };
    const summary = { ...offers, rejected, reasons: { ...reasons }, rejectsNotWritten, ...moved };
    await recordRun({ ...within('import_record'), runId }, request, summary);
    if (request.isForced) {
      const { merchant, mode, observedAt } = request;
      const after = { merchant, mode, observedAt, withdrawn };
      await recordAudit(transaction, { action: 'import.force', after });
    }
    const { merchantId } = placed;
    await request.onRecorded?.(transaction, { runId, merchantId, summary, pricesChangeAt });
    return summary;
  });
}

function reasonOf(error: unknown): 'refused' | 'broken' | 'failed' {
  if (error instanceof FeedRefused) return 'refused';
  return error instanceof BrokenFeed ? 'broken' : 'failed';
}
