/** Imports a feed: rows are read, checked and staged; then one transaction matches and writes them. */
import { recordAudit } from '../access/audit.ts';
import type { Market } from '../catalogue/market.ts';
import type { Database } from '../database/database.ts';
import { named } from '../database/observed.ts';
import { openAcceptedRows } from './coverage.ts';
import { BYTES_MATCHED_A_ROW, bytesToWrite, openDiskGuard } from './disk-space.ts';
import {
  DEFAULT_LIMITS,
  ImportGivenUp,
  type ImportProgress,
  type ImportRequest,
  type ImportSummary,
  type StartedImport,
} from './import-request.ts';
import { nextRunId, recordFailure, recordRun } from './import-run.ts';
import { matchProducts } from './match.ts';
import { addRejections, hasFaults } from './matching-rejects.ts';
import { rejectSurplus } from './offer-limit.ts';
import { placeFeed } from './placed-feed.ts';
import { planWrites, type Withdrawals } from './plan-writes.ts';
import { BrokenFeed } from './reject.ts';
import { openRejects } from './rejects.ts';
import { type Outlets, stageFeed } from './stage-feed.ts';
import { openStaging } from './staging.ts';
import { writeFeed } from './write.ts';
import { writeAlone } from './write-lock.ts';

/** The feed can be read but is not accepted; the message says why and what to do. */
export class FeedRefused extends Error {
  override name = 'FeedRefused';
  /** What happened, without what to do. */
  readonly fact: string;

  constructor(fact: string, advice: string) {
    super(`${fact} ${advice}`);
    this.fact = fact;
  }
}

/**
 * Imports a feed: all of it or nothing, except that a row that cannot be used costs only that row.
 * @throws {BrokenFeed} when the feed is cut off, of no known format, or beyond a limit.
 * @throws {DiskTooFull}
 * @throws {FeedRefused} when a full feed would withdraw more than half of the shop's offers.
 */
export async function importFeed(
  database: Database,
  market: Pick<Market, 'currency' | 'country'>,
  request: ImportRequest,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportSummary> {
  const limits = { ...DEFAULT_LIMITS, ...request.limits };
  const started: StartedImport = { ...request, limits, startedAt: new Date() };
  const disks = openDiskGuard(request, limits.minFreeBytes);
  await disks.requireRoom(0, limits.maxRejects);
  const rejects = openRejects(request.rejectsFile, limits.maxRejects, request.observer);
  const staging = await openStaging(named(database, 'import_stage'), request.productFields);
  const accepted = request.observer && openAcceptedRows(request.observer);
  const outlets: Outlets = { staging, rejects, disks, accepted };
  let isImported = false;
  let pricesChangeAt: Date | undefined;
  const onPriceChange = (at: Date) => {
    if (!pricesChangeAt || at < pricesChangeAt) pricesChangeAt = at;
  };
  try {
    const marketAt = {
      currency: market.currency,
      country: market.country,
      observedAt: request.observedAt,
      onPriceChange,
    };
    const read = await stageFeed(outlets, marketAt, started, onProgress);
    onProgress({ phase: 'writing', rows: read, bytes: 0 });
    await staging.analyse();
    const summary = await write(database, outlets, started, read, pricesChangeAt);
    isImported = !request.isDryRun;
    if (!request.isDryRun) await refreshStatistics(database, summary);
    return summary;
  } catch (error) {
    // What fails after the commit has not undone it.
    const hasFailed = !(isImported || request.isDryRun || error instanceof ImportGivenUp);
    if (hasFailed) await recordFailure(database, started, reasonOf(error));
    throw error;
  } finally {
    // Closing the list of rejected rows may fail; the staging table is dropped all the same.
    await rejects.close(isImported).finally(() => staging.drop());
  }
}

/** Matches and writes the staged rows in one transaction. */
async function write(
  database: Database,
  { staging, rejects, disks, accepted }: Outlets,
  request: StartedImport,
  read: number,
  pricesChangeAt: Date | undefined,
): Promise<ImportSummary> {
  await disks.requireRoom(read * BYTES_MATCHED_A_ROW, 0);
  return writeAlone(database, request.isDryRun ?? false, async (transaction) => {
    const placed = await placeFeed(transaction, staging, request);
    const within = (phase: string) => ({ ...placed, transaction: named(transaction, phase) });
    const identifiersMoved = await matchProducts(within('import_match'));
    const surplus = await rejectSurplus(within('import_plan'), rejects.count > 0 || (await hasFaults(transaction)));
    const withdrawals = await planWrites(within('import_plan'), surplus > 0);
    if (!request.isForced && withdrawals.count * 2 > withdrawals.inForce) throw refused(request.merchant, withdrawals);
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

function refused(merchant: string, { count, inForce }: Withdrawals): FeedRefused {
  return new FeedRefused(
    `The feed would withdraw ${count} of the ${inForce} offers of ${merchant}, more than half, so nothing was changed.`,
    'Check whether the feed is complete; to import it as it is, use --force; if it lists only changes, use --delta.',
  );
}

function reasonOf(error: unknown): 'refused' | 'broken' | 'failed' {
  if (error instanceof FeedRefused) return 'refused';
  return error instanceof BrokenFeed ? 'broken' : 'failed';
}

// Without statistics, the next import would plan its joins as if the tables were still empty. The embedded database has no
// autovacuum, and PostgreSQL's runs a minute late.
const MANY_CHANGES = 1_000;

async function refreshStatistics(database: Database, { new: added, changed, withdrawn }: ImportSummary): Promise<void> {
  // Every search reads the words that the index has not yet sorted in.
  if (added > 0) await database.query('SELECT clean_search_index()');
  if (added + changed + withdrawn < MANY_CHANGES) return;
  await database.query('SELECT analyse_catalogue()');
}
