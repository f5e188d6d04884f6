/** A scheduled feed as commands and the console show it. */
import type { Queryable } from '../database/database.ts';
import type { FeedOutcome } from '../generated/prisma/enums.ts';
import { decodeId, encodeId } from '../values/id.ts';
import { FeedNotFound } from './feed-invalid.ts';
import { shownStored } from './feed-url.ts';
import { intervalOf } from './interval.ts';

/** `failing`: its last pull failed; `needs confirmation`: the guard refused it, see `confirmFeed`. */
export type FeedState = 'running' | 'paused' | 'needs confirmation' | 'failing' | 'waiting';

/** A feed without anything secret: the values of the URL's query are replaced by dots, and of its headers only the names are known. */
export interface FeedRecord {
  id: string;
  merchant: string;
  /** The slug of the shop; absent until its first import. */
  shop?: string;
  url: string;
  every: string;
  mode: 'full' | 'delta';
  headers: string[];
  allowPrivate: boolean;
  /** Own limits of its imports. */
  limits: { maxBytes?: number; maxRows?: number; maxRejects?: number };
  encoding?: string;
  state: FeedState;
  pausedAt?: Date;
  /** Absent while it is paused. */
  nextRunAt?: Date;
  lastSuccessAt?: Date;
  /** Failed pulls in a row. */
  failures: number;
  needsConfirmationAt?: Date;
  /** Whether an operator has allowed the next run to withdraw more than half of the shop's offers. */
  isConfirmed: boolean;
  lastRun?: FeedRunRecord;
  createdAt: Date;
}

/** A pull of a feed. While it runs, it has no outcome. */
export interface FeedRunRecord {
  id: string;
  startedAt: Date;
  finishedAt?: Date;
  outcome?: FeedOutcome;
  /** Why it ended like this. */
  message?: string;
  isForced: boolean;
  bytes?: number;
  /** The rows and offers of its import. */
  imported?: { read: number; new: number; changed: number; same: number; withdrawn: number; rejected: number };
}

/** The number of a feed. @throws {FeedNotFound} for a text that is no id of a feed. */
export function numberOf(id: string): bigint {
  const number = decodeId('feed', id);
  if (number === undefined) throw new FeedNotFound(id);
  return number;
}

interface FeedRow {
  id: bigint;
  merchant: string;
  shop: string | null;
  url: string;
  every_seconds: number;
  is_delta: boolean;
  max_bytes: bigint | null;
  max_rows: number | null;
  max_rejects: number | null;
  encoding: string | null;
  allow_private: boolean;
  header_names: string[];
  created_at: Date;
  paused_at: Date | null;
  next_run_at: Date;
  is_running: boolean;
  failures: number;
  last_success_at: Date | null;
  needs_confirmation_at: Date | null;
  confirmed_at: Date | null;
}

interface RunRow {
  run_id: bigint;
  started_at: Date;
  finished_at: Date | null;
  outcome: FeedOutcome | null;
  message: string | null;
  is_forced: boolean;
  bytes: bigint | null;
  read: number | null;
  added: number;
  changed: number;
  same: number;
  withdrawn: number;
  rejected: number;
}

/** Which feeds to read: one, or a page of all by id. */
export interface WhichFeeds {
  id?: bigint;
  after?: bigint;
  first?: number;
}

/** Reads feeds with their last run, by id. */
export async function readFeeds(database: Queryable, { id, after = 0n, first }: WhichFeeds): Promise<FeedRecord[]> {
  const rows = await database.query<FeedRow & { [Name in keyof RunRow]: RunRow[Name] | null }>(
    READ_FEEDS,
    [id ?? null, after, first ?? null],
    { name: 'feeds', isCurrent: true },
  );
  return rows.map((row) => recordOf(row, row.run_id === null ? undefined : runOf(row as RunRow)));
}

/** Reads the runs of a feed, newest first. */
export async function readRuns(database: Queryable, feedId: bigint, first: number): Promise<FeedRunRecord[]> {
  const rows = await database.query<RunRow>(READ_RUNS, [feedId, first], { name: 'feed_runs', isCurrent: true });
  return rows.map(runOf);
}

function recordOf(row: FeedRow, lastRun: FeedRunRecord | undefined): FeedRecord {
  return {
    id: encodeId('feed', row.id),
    merchant: row.merchant,
    ...(row.shop !== null && { shop: row.shop }),
    url: shownStored(row.url),
    every: intervalOf(row.every_seconds),
    mode: row.is_delta ? 'delta' : 'full',
    headers: row.header_names,
    allowPrivate: row.allow_private,
    limits: {
      ...(row.max_bytes !== null && { maxBytes: Number(row.max_bytes) }),
      ...(row.max_rows !== null && { maxRows: row.max_rows }),
      ...(row.max_rejects !== null && { maxRejects: row.max_rejects }),
    },
    ...(row.encoding !== null && { encoding: row.encoding }),
    state: stateOf(row),
    ...(row.paused_at !== null ? { pausedAt: row.paused_at } : { nextRunAt: row.next_run_at }),
    ...(row.last_success_at !== null && { lastSuccessAt: row.last_success_at }),
    failures: row.failures,
    ...(row.needs_confirmation_at !== null && { needsConfirmationAt: row.needs_confirmation_at }),
    isConfirmed: row.confirmed_at !== null,
    ...(lastRun && { lastRun }),
    createdAt: row.created_at,
  };
}

function stateOf(row: FeedRow): FeedState {
  if (row.is_running) return 'running';
  if (row.paused_at !== null) return 'paused';
  if (row.needs_confirmation_at !== null) return 'needs confirmation';
  return row.failures > 0 ? 'failing' : 'waiting';
}

function runOf(row: RunRow): FeedRunRecord {
  const { added, changed, same, withdrawn, rejected } = row;
  return {
    id: encodeId('feedRun', row.run_id),
    startedAt: row.started_at,
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    ...(row.outcome !== null && { outcome: row.outcome }),
    ...(row.message !== null && { message: row.message }),
    isForced: row.is_forced,
    ...(row.bytes !== null && { bytes: Number(row.bytes) }),
    ...(row.read !== null && { imported: { read: row.read, new: added, changed, same, withdrawn, rejected } }),
  };
}

const RUN_COLUMNS = `
         run.id AS run_id, run.started_at, run.finished_at, run.outcome::text AS outcome, run.message, run.is_forced, run.bytes,
         import_run.read, import_run.added, import_run.changed, import_run.same, import_run.withdrawn, import_run.rejected`;

// By the primary keys of feed, merchant and import_run, and feed_run_feed_idx.
const READ_FEEDS = `
  SELECT feed.id, feed.merchant, merchant.slug AS shop, feed.url, feed.every_seconds, feed.is_delta, feed.max_bytes, feed.max_rows,
         feed.max_rejects, feed.encoding, feed.allow_private, feed.header_names, feed.created_at, feed.paused_at, feed.next_run_at,
         COALESCE(feed.leased_until > now(), FALSE) AS is_running,
         feed.failures, feed.last_success_at, feed.needs_confirmation_at, feed.confirmed_at,
         ${RUN_COLUMNS}
  FROM feed
  LEFT JOIN merchant ON merchant.id = feed.merchant_id
  LEFT JOIN LATERAL (SELECT * FROM feed_run WHERE feed_run.feed_id = feed.id ORDER BY feed_run.id DESC LIMIT 1) AS run ON TRUE
  LEFT JOIN import_run ON import_run.id = run.import_run_id
  WHERE ($1::bigint IS NULL OR feed.id = $1::bigint) AND feed.id > $2::bigint
  ORDER BY feed.id
  LIMIT $3::int`;

// By feed_run_feed_idx.
const READ_RUNS = `
  SELECT ${RUN_COLUMNS}
  FROM feed_run AS run
  LEFT JOIN import_run ON import_run.id = run.import_run_id
  WHERE run.feed_id = $1
  ORDER BY run.id DESC
  LIMIT $2::int`;
