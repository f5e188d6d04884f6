/** The way of a feed into the catalogue: read → normalised → staged → matched → written, the last two in one step. */
import { recordAudit } from '../access/audit.ts';
import { slugOf } from '../catalogue/slug.ts';
import { foldName } from '../catalogue/words.ts';
import type { Database, Queryable } from '../database/database.ts';
import { indexCategories } from './category-index.ts';
import { type Market, normaliseItem } from './item.ts';
import { matchProducts } from './match.ts';
import { readFeed } from './readers/read-feed.ts';
import { openFeed } from './readers/source.ts';
import { BrokenFeed } from './reject.ts';
import { openRejects, type Rejects } from './rejects.ts';
import { openStaging, type StagedRow, type Staging } from './staging.ts';
import { type Effect, type Moment, planWrites, writeFeed } from './write.ts';

export interface ImportRequest {
  /** A file's path, `-` for standard input, or an `http(s)` URL. */
  feed: string;
  /** The shop's name; a shop that is not known yet is made. */
  merchant: string;
  merchantUrl?: string;
  /** `full` replaces the shop's offers; `delta` only adds and changes. */
  mode: 'full' | 'delta';
  /** Withdraws more than half of the shop's offers where the feed says so. */
  isForced?: boolean;
  /** Goes all the way and takes everything back. */
  isDryRun?: boolean;
  /** The moment that the feed speaks of. */
  observedAt: Date;
  rejectsFile?: string;
  /** Fetches also from an address that is not on the public internet. */
  isPrivateAllowed?: boolean;
  /** The feed's encoding, where it does not say so itself or is wrong about it. */
  encoding?: string;
}

export interface ImportSummary {
  /** Rows read. */
  read: number;
  /** Offers. */
  new: number;
  changed: number;
  same: number;
  withdrawn: number;
  /** Rows rejected, in all and by reason. */
  rejected: number;
  reasons: Record<string, number>;
}

export interface ImportProgress {
  phase: 'reading' | 'writing';
  rows: number;
  bytes: number;
  /** The feed's size, where its source tells. */
  totalBytes?: number;
}

/** The feed can be read, but is not let in: the message says why and what to do. */
export class FeedRefused extends Error {
  override name = 'FeedRefused';
}

class DryRun extends Error {}

interface StartedImport extends ImportRequest {
  startedAt: Date;
}

const ROWS_A_STATEMENT = 2_000;

// Matching and writing is one import's at a time: two that make the same product at once would not see each other's.
const WRITE_LOCK = 4_006_381_333_932;

/**
 * Imports a feed. Nothing is changed unless all of it could be read; a row that cannot be used costs that row alone.
 *
 * @throws {BrokenFeed} when the feed is cut off or not of a known format.
 * @throws {FeedRefused} when a full feed would withdraw more than half of the shop's offers.
 */
export async function importFeed(
  database: Database,
  market: Pick<Market, 'currency' | 'country'>,
  request: ImportRequest,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportSummary> {
  const startedAt = new Date();
  const rejects = openRejects(request.rejectsFile);
  const staging = await openStaging(database);
  let isImported = false;
  try {
    const read = await stage(
      database,
      staging,
      { ...market, observedAt: request.observedAt },
      request,
      rejects,
      onProgress,
    );
    onProgress({ phase: 'writing', rows: read, bytes: 0 });
    await staging.analyse();
    const summary = await write(database, staging, { ...request, startedAt }, read, rejects);
    isImported = !request.isDryRun;
    if (!request.isDryRun) await refreshStatistics(database, summary);
    return summary;
  } catch (error) {
    if (!request.isDryRun) await recordFailure(database, request, startedAt, error);
    throw error;
  } finally {
    // The list of rejected rows may not be writable; the staging table goes all the same.
    await rejects.close(isImported).finally(() => staging.drop());
  }
}

/** Reads the feed into the staging table. @returns the number of rows read. */
async function stage(
  database: Database,
  staging: Staging,
  market: Market,
  request: ImportRequest,
  rejects: Rejects,
  onProgress: (progress: ImportProgress) => void,
): Promise<number> {
  const source = await openFeed(request.feed, { isPrivateAllowed: request.isPrivateAllowed ?? false });
  const categoryOf = await indexCategories(database);
  let waiting: StagedRow[] = [];
  let appending: Promise<void> = Promise.resolve();
  let read = 0;
  // The next rows are read while the last ones are on their way; never more than two batches are in memory.
  const append = async () => {
    await appending;
    appending = staging.append(waiting);
    appending.catch(() => {}); // Awaited with the next batch, or at the end.
    waiting = [];
    onProgress({
      phase: 'reading',
      rows: read,
      bytes: source.bytesRead(),
      ...(source.totalBytes !== undefined && { totalBytes: source.totalBytes }),
    });
  };

  const { encoding } = request;
  for await (const rows of readFeed(source.bytes, encoding === undefined ? {} : { encoding })) {
    for (const row of rows) {
      read += 1;
      const outcome = normaliseItem(row, market);
      if ('reason' in outcome) {
        rejects.add(outcome);
        if (outcome.id !== undefined)
          waiting.push({ position: read, line: outcome.line, sku: outcome.id, fault: outcome.reason });
      } else waiting.push({ position: read, item: outcome, categoryId: categoryOf(outcome) });
      if (waiting.length >= ROWS_A_STATEMENT) await append();
    }
  }
  await append();
  await appending;
  return read;
}

/** Matches and writes the staged rows in one transaction. */
async function write(
  database: Database,
  staging: Staging,
  request: StartedImport,
  read: number,
  rejects: Rejects,
): Promise<ImportSummary> {
  let summary: ImportSummary | undefined;
  try {
    await database.transaction(async (transaction) => {
      await transaction.query('SET LOCAL statement_timeout = 0');
      await transaction.query('SELECT pg_advisory_xact_lock($1::bigint)', [WRITE_LOCK]);
      const moment = await placeInTime(transaction, request);
      await matchProducts(transaction, staging, moment.merchantId);
      const withdrawals = await planWrites(transaction, staging, moment, request.mode === 'full');
      if (!request.isForced && withdrawals.count * 2 > withdrawals.inForce)
        throw refused(request.merchant, withdrawals);
      const effect = await writeFeed(transaction, staging, moment);
      await addRejections(transaction, staging, rejects);
      summary = summarise(read, effect, rejects);
      await recordRun(transaction, request, moment, summary);
      if (request.isForced) {
        const { merchant, mode, observedAt } = request;
        await recordAudit(transaction, {
          action: 'import.force',
          after: { merchant, mode, observedAt, withdrawn: summary.withdrawn },
        });
      }
      if (request.isDryRun) throw new DryRun();
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
  }
  if (!summary) throw new Error('The transaction has ended without a summary.');
  return summary;
}

// The embedded database has no autovacuum, and PostgreSQL's comes a minute late: without statistics, the next import's
// joins over tables that were empty at the last look would be planned as if they still were.
const MANY_CHANGES = 1_000;

async function refreshStatistics(database: Database, { new: added, changed, withdrawn }: ImportSummary): Promise<void> {
  // What the index of words has only gathered is read whole by every search, until it is put in its place.
  if (added > 0) await database.query('SELECT clean_search_index()');
  if (added + changed + withdrawn < MANY_CHANGES) return;
  await database.query('SELECT analyse_catalogue()');
}

function refused(merchant: string, { count, inForce }: { count: number; inForce: number }): FeedRefused {
  return new FeedRefused(
    `The feed would withdraw ${count} of the ${inForce} offers of ${merchant}, more than half, so nothing was changed. ` +
      'Check whether the feed is whole; to import it as it is, use --force; if it lists only changes, use --delta.',
  );
}

/** For the metrics alone: the import's own error is what the operator must see, whatever becomes of this. */
async function recordFailure(
  database: Database,
  { merchant, mode }: ImportRequest,
  startedAt: Date,
  error: unknown,
): Promise<void> {
  const reason = error instanceof FeedRefused ? 'refused' : error instanceof BrokenFeed ? 'broken' : 'failed';
  await database
    .query(
      'INSERT INTO import_failure (merchant, mode, reason, started_at) VALUES ($1::text, $2::text::import_mode, $3::text, $4::timestamptz)',
      [merchant, mode, reason, startedAt],
    )
    .catch(() => {});
}

async function placeInTime(transaction: Queryable, request: ImportRequest): Promise<Moment> {
  const merchantId = (await findMerchant(transaction, request)) ?? (await addMerchant(transaction, request));
  // By the index on import_run (merchant_id, mode, observed_at).
  const [next] = await transaction.query<{ observed_at: Date | null }>(
    `SELECT min(observed_at) AS observed_at
     FROM import_run
     WHERE merchant_id = $1 AND mode = 'full' AND observed_at > $2::timestamptz`,
    [merchantId, request.observedAt],
  );
  return { merchantId, observedAt: request.observedAt, nextFullAt: next?.observed_at ?? undefined };
}

async function findMerchant(
  transaction: Queryable,
  { merchant, merchantUrl }: ImportRequest,
): Promise<bigint | undefined> {
  const [known] = await transaction.query<{ id: bigint }>(
    'UPDATE merchant SET url = COALESCE($2::text, url) WHERE name = $1::text RETURNING id',
    [merchant, merchantUrl ?? null],
  );
  return known?.id;
}

async function addMerchant(transaction: Queryable, { merchant, merchantUrl }: ImportRequest): Promise<bigint> {
  const slug = slugOf(merchant, 'merchant');
  const [added] = await transaction.query<{ id: bigint }>(
    `INSERT INTO merchant (slug, name, url, sort_name)
     SELECT CASE
              WHEN EXISTS (SELECT FROM merchant WHERE slug = $1::text) THEN $1::text || '--' || nextval('merchant_id_seq')
              ELSE $1::text
            END,
            $2::text, $3::text, $4::text
     RETURNING id`,
    [slug, merchant, merchantUrl ?? null, foldName(merchant)],
  );
  if (!added) throw new Error('The merchant was not added.');
  return added.id;
}

const FAULT_DETAILS: Record<string, string> = {
  duplicate_id: 'An earlier row of this feed has the same id.',
  identifier_conflict: 'The GTIN belongs to one product and the ASIN to another.',
};

async function addRejections(transaction: Queryable, { table }: Staging, rejects: Rejects): Promise<void> {
  const rows = await transaction.query<{ line: number; sku: string; fault: 'duplicate_id' | 'identifier_conflict' }>(
    `SELECT item.line, matched.sku, matched.fault
     FROM matched
     JOIN ${table} AS item ON item.position = matched.position
     WHERE matched.fault IS NOT NULL
     ORDER BY matched.position`,
  );
  for (const { line, sku, fault } of rows) {
    rejects.add({ line, id: sku, reason: fault, detail: FAULT_DETAILS[fault] ?? fault });
  }
}

function summarise(read: number, effect: Effect, rejects: Rejects): ImportSummary {
  return {
    read,
    new: effect.new,
    changed: effect.changed,
    same: read - rejects.count - effect.new - effect.changed,
    withdrawn: effect.withdrawn,
    rejected: rejects.count,
    reasons: { ...rejects.reasons },
  };
}

async function recordRun(
  transaction: Queryable,
  { mode, observedAt, startedAt }: StartedImport,
  { merchantId }: Moment,
  summary: ImportSummary,
): Promise<void> {
  await transaction.query(
    `INSERT INTO import_run (merchant_id, mode, observed_at, read, added, changed, same, withdrawn, rejected, started_at, finished_at)
     VALUES ($1, $2::text::import_mode, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp())`,
    [
      merchantId,
      mode,
      observedAt,
      summary.read,
      summary.new,
      summary.changed,
      summary.same,
      summary.withdrawn,
      summary.rejected,
      startedAt,
    ],
  );
  await transaction.query('UPDATE merchant SET observed_at = GREATEST(observed_at, $2::timestamptz) WHERE id = $1', [
    merchantId,
    observedAt,
  ]);
}
