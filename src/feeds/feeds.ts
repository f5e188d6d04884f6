/**
 * The administration of scheduled feeds, for the command line and the console. Each change is recorded in the audit log, in the same
 * transaction.
 */
import { type AuditAction, recordAudit } from '../access/audit.ts';
import { makeToken } from '../access/token.ts';
import type { Database, Queryable } from '../database/database.ts';
import { FEED_URL, placeOf, REPORT_TOKEN, sealFor } from '../database/sealed-columns.ts';
import { SecretUnreadable, vaultOf } from '../database/vault.ts';
import type { ImportLimits } from '../import/import-request.ts';
import { encodeId } from '../values/id.ts';
import { shownUrl } from '../values/shown-url.ts';
import { readHeaders } from './feed-headers.ts';
import { FeedInvalid, FeedNotFound } from './feed-invalid.ts';
import { type FeedRecord, type FeedRunRecord, numberOf, readFeeds, readRuns, type WhichFeeds } from './feed-record.ts';
import { checkEncoding, readMerchant, refuseOpenHeaders } from './feed-settings.ts';
import { readFeedUrl, refuseKnown } from './feed-url.ts';
import { readInterval } from './interval.ts';
import { sealHeaders } from './seal-headers.ts';
import { RUNS_KEPT } from './tidy-runs.ts';

/** The most feeds of an installation: far more than there are shops, so that only a mistake exceeds it. */
export const MOST_FEEDS = 10_000;

/** What an operator states of a new feed. */
export interface NewFeed {
  url: string;
  /** The shop's name; the first import adds an unknown shop. */
  merchant: string;
  /** Such as `1h`: from `1m` to `30d`. */
  every: string;
  isDelta?: boolean;
  /** Header fields as `Name: value`. They are stored encrypted and never shown again. */
  headers?: readonly string[];
  allowPrivate?: boolean;
  encoding?: string | undefined;
  limits?: Partial<Pick<ImportLimits, 'maxBytes' | 'maxRows' | 'maxRejects'>>;
}

/** Who acts; the user of this process by default. */
export interface By {
  actor?: string | undefined;
}

/** Adds a feed, whose first pull is due at once. @throws {FeedInvalid} @throws {SecretKeyUnusable} if it has headers */
export async function addFeed(
  database: Database,
  feed: NewFeed,
  { secretKey, actor }: By & { secretKey?: string | undefined } = {},
): Promise<FeedRecord> {
  const url = readFeedUrl(feed.url);
  const merchant = readMerchant(feed.merchant);
  const everySeconds = readInterval(feed.every);
  const headers = readHeaders(feed.headers ?? []);
  const headerNames = Object.keys(headers);
  const { allowPrivate = false, isDelta = false, encoding, limits = {} } = feed;
  checkEncoding(encoding);
  refuseOpenHeaders(url, headerNames, allowPrivate);
  const sealed = headerNames.length > 0 ? sealHeaders(headers, url.href, secretKey) : null;
  const vault = vaultOf(database);

  return database.transaction(async (transaction) => {
    // One after the other, so that the limit holds.
    await transaction.query("SELECT pg_advisory_xact_lock(hashtext('feed.add'))");
    await refuseKnown(transaction, vault, merchant, url.href);
    const [{ feeds, next } = { feeds: 0, next: 0n }] = await transaction.query<{ feeds: number; next: bigint }>(COUNT);
    if (feeds >= MOST_FEEDS) {
      throw new FeedInvalid(`There are ${MOST_FEEDS} feeds, the most that may be scheduled. Remove one first.`);
    }
    const [added] = await transaction.query<{ id: bigint }>(ADD, [
      merchant,
      sealFor(vault, FEED_URL, next, url.href),
      url.hostname,
      everySeconds,
      isDelta,
      limits.maxBytes ?? null,
      limits.maxRows ?? null,
      limits.maxRejects ?? null,
      encoding ?? null,
      allowPrivate,
      headerNames,
      sealed,
      sealFor(vault, REPORT_TOKEN, next, makeToken()),
      next,
    ]);
    if (!added) throw new Error('The feed was not added.');
    const record = await requireFeed(transaction, added.id);
    const { id, every, mode } = record;
    const after = { feed: id, merchant, url: shownUrl(url.href), every, mode, headers: headerNames };
    await recordAudit(transaction, { action: 'feed.add', actor, after });
    return record;
  });
}

/** All feeds by id, or a page of them: at most `first` after the feed `after`. */
export function listFeeds(
  database: Queryable,
  { after, first }: { after?: string | undefined; first?: number } = {},
): Promise<FeedRecord[]> {
  const which: WhichFeeds = {
    ...(after !== undefined && { after: numberOf(after) }),
    ...(first !== undefined && { first }),
  };
  return readFeeds(database, which);
}

/** A feed with its newest runs, and the path of its report. */
export type FeedWithRuns = FeedRecord & { reportPath: string; runs: FeedRunRecord[] };

/** Reads a feed with its newest runs. @throws {FeedNotFound} */
export async function readFeed(database: Database, id: string, mostRuns = 20): Promise<FeedWithRuns> {
  const number = numberOf(id);
  const record = await requireFeed(database, number);
  const [row] = await database.query<{ token: string }>('SELECT report_token AS token FROM feed WHERE id = $1', [
    number,
  ]);
  const token = row && readToken(database, number, row.token);
  const runs = await readRuns(database, number, Math.min(mostRuns, RUNS_KEPT));
  return { ...record, reportPath: `/feeds/${token}`, runs };
}

/** The token of a report. Without its key, the feed can still be administered, and be given another. */
function readToken(database: Database, id: bigint, stored: string): string {
  try {
    return vaultOf(database).open(stored, placeOf(REPORT_TOKEN, id));
  } catch (error) {
    if (error instanceof SecretUnreadable) return 'unreadable-without-its-key';
    throw error;
  }
}

/** Stops pulling a feed, until it is resumed. A run in progress ends as usual. @throws {FeedNotFound} */
export const pauseFeed = (database: Database, id: string, by: By = {}): Promise<FeedRecord> =>
  change(database, id, by, 'feed.pause', 'paused_at = COALESCE(paused_at, now())');

/** Pulls a feed again, at once if it became due meanwhile. @throws {FeedNotFound} */
export const resumeFeed = (database: Database, id: string, by: By = {}): Promise<FeedRecord> =>
  change(database, id, by, 'feed.resume', 'paused_at = NULL');

/** Makes a feed due now; a gateway pulls it within seconds. @throws {FeedNotFound} @throws {FeedInvalid} if it is paused */
export const runFeedSoon = (database: Database, id: string, by: By = {}): Promise<FeedRecord> =>
  change(database, id, by, 'feed.run', 'next_run_at = clock_timestamp()', refusePaused);

/**
 * Allows the next run, which is due now, to withdraw more than half of the shop's offers.
 * @throws {FeedNotFound} @throws {FeedInvalid} if the feed is paused, or was not refused for that reason
 */
export const confirmFeed = (database: Database, id: string, by: By = {}): Promise<FeedRecord> =>
  change(database, id, by, 'feed.confirm', 'confirmed_at = now(), next_run_at = clock_timestamp()', (feed) => {
    refusePaused(feed);
    if (feed.needsConfirmationAt) return;
    throw new FeedInvalid(`Feed ${feed.id} has nothing to confirm: its last content was not refused.`);
  });

/** Gives the report of a feed a new address; the old one stops working. @throws {FeedNotFound} */
export const renewReport = (database: Database, id: string, by: By = {}): Promise<FeedRecord> =>
  change(database, id, by, 'feed.new-report-url', 'report_token = $2', undefined, [
    sealFor(vaultOf(database), REPORT_TOKEN, numberOf(id), makeToken()),
  ]);

/** Removes a feed with its runs. The shop and its offers stay. A run in progress stops before it writes anything more. @throws {FeedNotFound} */
export function removeFeed(database: Database, id: string, { actor }: By = {}): Promise<FeedRecord> {
  return database.transaction(async (transaction) => {
    const record = await requireFeed(transaction, numberOf(id));
    await transaction.query('DELETE FROM feed WHERE id = $1', [numberOf(id)]);
    await recordAudit(transaction, { action: 'feed.remove', actor, before: named(record) });
    return record;
  });
}

/** Changes a feed, and records who did it. @param refuse throws if the feed is in a state that does not allow it. */
function change(
  database: Database,
  id: string,
  { actor }: By,
  action: AuditAction,
  assignments: string,
  refuse: (feed: FeedRecord) => void = () => {},
  values: readonly unknown[] = [],
): Promise<FeedRecord> {
  const number = numberOf(id);
  return database.transaction(async (transaction) => {
    await transaction.query('SELECT FROM feed WHERE id = $1 FOR UPDATE', [number]);
    refuse(await requireFeed(transaction, number));
    await transaction.query(`UPDATE feed SET ${assignments} WHERE id = $1`, [number, ...values]);
    const record = await requireFeed(transaction, number);
    await recordAudit(transaction, { action, actor, after: named(record) });
    return record;
  });
}

const named = ({ id, merchant, url }: FeedRecord) => ({ feed: id, merchant, url });

function refusePaused({ id, pausedAt }: FeedRecord): void {
  if (pausedAt) throw new FeedInvalid(`Feed ${id} is paused: resume it first with \`pda feeds resume ${id}\`.`);
}

/** Reads a feed by its number. @throws {FeedNotFound} */
export async function requireFeed(database: Queryable, id: bigint): Promise<FeedRecord> {
  const [record] = await readFeeds(database, { id });
  if (!record) throw new FeedNotFound(encodeId('feed', id));
  return record;
}

const COUNT = "SELECT (SELECT count(*)::int FROM feed) AS feeds, nextval('feed_id_seq') AS next";

const ADD = `
  INSERT INTO feed (
    merchant, merchant_id, url, host, every_seconds, is_delta, max_bytes, max_rows, max_rejects, encoding, allow_private,
    header_names, sealed_headers, report_token, id
  )
  VALUES (
    $1::text, (SELECT id FROM merchant WHERE name = $1::text), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text[], $12, $13, $14::bigint
  )
  RETURNING id`;
