/** The way of a feed into the catalogue: read → normalised → staged → matched → written, the last two in one step. */
import { recordAudit } from '../access/audit.ts';
import { MOST_OFFERS_OF_SHOP } from '../catalogue/offer/most-offers.ts';
import type { Database, Queryable } from '../database/database.ts';
import { slugOf } from '../values/slug.ts';
import { foldName } from '../values/words.ts';
import { BYTES_MATCHED_A_ROW, bytesToWrite } from './bytes-to-write.ts';
import { indexCategories } from './category-index.ts';
import { type DiskGuard, openDiskGuard } from './disk-space.ts';
import { DEFAULT_LIMITS, type ImportLimits } from './import-limits.ts';
import { type Market, normaliseItem } from './item.ts';
import { matchProducts } from './match.ts';
import { rejectSurplus } from './offer-limit.ts';
import { readFeed } from './readers/read-feed.ts';
import { openFeed } from './readers/source.ts';
import { BrokenFeed } from './reject.ts';
import { openRejects, type Rejects } from './rejects.ts';
import { openStaging, type StagedRow, type Staging } from './staging.ts';
import { type Effect, type Moment, planWrites, writeFeed } from './write.ts';
import { lockForWriting } from './write-lock.ts';

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
  /** What the import may take; {@link DEFAULT_LIMITS} where it is not said. */
  limits?: Partial<ImportLimits>;
  /** The folder of the embedded database, whose disk must have room; absent on PostgreSQL. */
  dataFolder?: string | undefined;
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
  /** Rejected rows that are not in the rejects file, since it has as many as it may. */
  rejectsNotWritten: number;
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
  limits: ImportLimits;
}

interface Outlets {
  staging: Staging;
  rejects: Rejects;
  disks: DiskGuard;
}

const ROWS_A_STATEMENT = 2_000;

/**
 * Imports a feed. Nothing is changed unless all of it could be read; a row that cannot be used costs that row alone.
 *
 * @throws {BrokenFeed} when the feed is cut off, not of a known format, or beyond a limit.
 * @throws {DiskTooFull} when a disk has too little room for it.
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
  const rejects = openRejects(request.rejectsFile, limits.maxRejects);
  const staging = await openStaging(database);
  const outlets: Outlets = { staging, rejects, disks };
  let isImported = false;
  try {
    const read = await stage(database, outlets, { ...market, observedAt: request.observedAt }, started, onProgress);
    onProgress({ phase: 'writing', rows: read, bytes: 0 });
    await staging.analyse();
    const summary = await write(database, outlets, started, read);
    isImported = !request.isDryRun;
    if (!request.isDryRun) await refreshStatistics(database, summary);
    return summary;
  } catch (error) {
    if (!request.isDryRun) await recordFailure(database, started, error);
    throw error;
  } finally {
    // The list of rejected rows may not be writable; the staging table goes all the same.
    await rejects.close(isImported).finally(() => staging.drop());
  }
}

/** Reads the feed into the staging table. @returns the number of rows read. */
async function stage(
  database: Database,
  { staging, rejects, disks }: Outlets,
  market: Market,
  { feed, encoding, isPrivateAllowed = false, limits }: StartedImport,
  onProgress: (progress: ImportProgress) => void,
): Promise<number> {
  const source = await openFeed(feed, { isPrivateAllowed, maxBytes: limits.maxBytes });
  const categoryOf = await indexCategories(database);
  let waiting: StagedRow[] = [];
  let appending: Promise<void> = Promise.resolve();
  let read = 0;
  // The next rows are read while the last ones are on their way; never more than two batches are in memory.
  const append = async () => {
    await appending;
    await disks.requireRoom(0, rejects.room);
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

  for await (const rows of readFeed(source.bytes, encoding === undefined ? {} : { encoding })) {
    for (const row of rows) {
      read += 1;
      if (read > limits.maxRows) throw tooManyRows(limits.maxRows, row.line);
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

function tooManyRows(most: number, line: number): BrokenFeed {
  return new BrokenFeed(
    `the feed has more than ${most} rows, so nothing was changed; raise the limit with --max-rows, or split the feed and import each part with --delta`,
    { line },
  );
}

/** Matches and writes the staged rows in one transaction. */
async function write(
  database: Database,
  { staging, rejects, disks }: Outlets,
  request: StartedImport,
  read: number,
): Promise<ImportSummary> {
  await disks.requireRoom(read * BYTES_MATCHED_A_ROW, 0);
  let summary: ImportSummary | undefined;
  try {
    await database.transaction(async (transaction) => {
      await lockForWriting(transaction);
      const moment = await placeInTime(transaction, request);
      const isFull = request.mode === 'full';
      await matchProducts(transaction, staging, moment, isFull);
      const hasRejected = rejects.count > 0 || (await hasFaults(transaction));
      const surplus = await rejectSurplus(transaction, staging, moment, { isFull, hasRejected });
      const withdrawals = await planWrites(transaction, staging, moment, { isFull, hasSurplus: surplus > 0 });
      if (!request.isForced && withdrawals.count * 2 > withdrawals.inForce)
        throw refused(request.merchant, withdrawals);
      await disks.requireRoom(await bytesToWrite(transaction, staging), rejects.room);
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
  { merchant, mode, startedAt }: StartedImport,
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

/** Why a row is rejected when it is matched. */
type MatchingFault = 'duplicate_id' | 'identifier_conflict' | 'identifier_chain' | 'too_many_offers';

const FAULT_DETAILS: Record<MatchingFault, string> = {
  duplicate_id: 'An earlier row of this feed has the same id.',
  identifier_conflict: 'The GTIN belongs to one product and the ASIN to another.',
  identifier_chain: 'More than 100 rows are linked to this one by a chain of GTINs, ASINs and MPNs.',
  too_many_offers: `The shop lists ${MOST_OFFERS_OF_SHOP} other offers for this product already.`,
};

async function hasFaults(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ some: boolean }>(
    'SELECT EXISTS (SELECT FROM matched WHERE fault IS NOT NULL) AS some',
  );
  return row?.some ?? false;
}

/** Adds the rows that matching has rejected: as many as the list has room for, and the rest as numbers. */
async function addRejections(transaction: Queryable, { table }: Staging, rejects: Rejects): Promise<void> {
  const counts = await transaction.query<{ fault: MatchingFault; rows: number }>(
    'SELECT fault, count(*)::int AS rows FROM matched WHERE fault IS NOT NULL GROUP BY fault',
  );
  const unlisted = new Map(counts.map(({ fault, rows }) => [fault, rows]));
  const listed = await transaction.query<{ line: number; sku: string; fault: MatchingFault }>(
    `SELECT item.line, matched.sku, matched.fault
     FROM matched
     JOIN ${table} AS item ON item.position = matched.position
     WHERE matched.fault IS NOT NULL
     ORDER BY matched.position
     LIMIT $1`,
    [rejects.room],
  );
  for (const { line, sku, fault } of listed) {
    unlisted.set(fault, (unlisted.get(fault) ?? 0) - 1);
    rejects.add({ line, id: sku, reason: fault, detail: FAULT_DETAILS[fault] });
  }
  for (const [fault, rows] of unlisted) if (rows > 0) rejects.addUnlisted(fault, rows);
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
    rejectsNotWritten: rejects.notWritten,
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
