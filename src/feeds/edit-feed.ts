/**
 * Changes the settings of a scheduled feed, for the command line and the console. The feed keeps its shop, its runs and the address of its
 * report. The change is recorded in the audit log, in the same transaction.
 */
import { recordAudit } from '../access/audit.ts';
import type { Database } from '../database/database.ts';
import { FEED_URL, sealFor } from '../database/sealed-columns.ts';
import { vaultOf } from '../database/vault.ts';
import type { ImportLimits } from '../import/import-request.ts';
import { readHeaders } from './feed-headers.ts';
import { FeedInvalid } from './feed-invalid.ts';
import { type FeedRecord, numberOf } from './feed-record.ts';
import { checkEncoding, refuseOpenHeaders } from './feed-settings.ts';
import { readFeedUrl, refuseKnown, requireUrl, urlOf } from './feed-url.ts';
import { type By, requireFeed } from './feeds.ts';
import { readInterval } from './interval.ts';
import { openHeaders, sealHeaders } from './seal-headers.ts';

/** The settings to change; those that are left out stay. */
export interface FeedChange {
  url?: string | undefined;
  every?: string | undefined;
  isDelta?: boolean | undefined;
  /** Replace all headers of the feed; an empty list removes them. */
  headers?: readonly string[] | undefined;
  allowPrivate?: boolean | undefined;
  /** `null` for the encoding that the feed declares. */
  encoding?: string | null | undefined;
  /** `null` for the limit that every import has. */
  limits?: { [Name in 'maxBytes' | 'maxRows' | 'maxRejects']?: ImportLimits[Name] | null | undefined };
}

/**
 * Changes a feed. A new interval counts from now on. After any other change the feed is due at once, its content is imported again even if
 * it is as before, and a run in progress stops before it writes anything more.
 * @throws {FeedNotFound} @throws {FeedInvalid} @throws {SecretKeyUnusable} if headers must be encrypted anew
 */
export async function editFeed(
  database: Database,
  id: string,
  change: FeedChange,
  { secretKey, actor }: By & { secretKey?: string | undefined } = {},
): Promise<FeedRecord> {
  const number = numberOf(id);
  const everySeconds = change.every === undefined ? undefined : readInterval(change.every);
  const given = change.headers && readHeaders(change.headers);
  const givenUrl = change.url === undefined ? undefined : readFeedUrl(change.url);
  checkEncoding(change.encoding ?? undefined);
  const vault = vaultOf(database);

  return database.transaction(async (transaction) => {
    // One after the other with those that add feeds, so that no address is taken meanwhile.
    await transaction.query("SELECT pg_advisory_xact_lock(hashtext('feed.add'))");
    const [row] = await transaction.query<StoredFeed>(READ, [number]);
    const before = await requireFeed(transaction, number);
    if (!row) throw new Error('The feed has gone in spite of its lock.');
    const url = givenUrl ?? new URL(requireUrl(vault, row));
    const formerUrl = urlOf(vault, row);
    const isMoved = url.href !== formerUrl;
    const allowPrivate = change.allowPrivate ?? row.allow_private;
    const headerNames = given ? Object.keys(given) : row.header_names;
    refuseOpenHeaders(url, headerNames, allowPrivate);
    if (isMoved) await refuseKnown(transaction, vault, row.merchant, url.href);

    const isSealedAnew = given !== undefined || isMoved;
    const headers = given ?? (isSealedAnew ? headersFor(before.id, { ...row, formerUrl }, url, secretKey) : {});
    const sealed = isSealedAnew
      ? headerNames.length > 0
        ? sealHeaders(headers, url.href, secretKey)
        : null
      : row.sealed_headers;
    const { limits = {} } = change;
    const values = [
      isMoved ? sealFor(vault, FEED_URL, number, url.href) : row.url,
      url.hostname,
      change.isDelta ?? row.is_delta,
      pick(limits.maxBytes, row.max_bytes),
      pick(limits.maxRows, row.max_rows),
      pick(limits.maxRejects, row.max_rejects),
      pick(change.encoding, row.encoding),
      allowPrivate,
      headerNames,
      sealed,
    ];
    const stored = storedValues(row);
    if (values.some((value, place) => String(value) !== String(stored[place]))) {
      await transaction.query(SUPERSEDE, [number, SUPERSEDED]);
      await transaction.query(CHANGE, [number, ...values]);
    }
    if (everySeconds !== undefined) await transaction.query(CHANGE_INTERVAL, [number, everySeconds]);
    const after = await requireFeed(transaction, number);
    const told = changed(before, after, { headers: given !== undefined, url: isMoved });
    if (told) {
      const { merchant } = after;
      await recordAudit(transaction, {
        action: 'feed.edit',
        actor,
        before: told.before,
        after: { feed: after.id, merchant, ...told.after },
      });
    }
    return after;
  });
}

interface StoredFeed {
  id: bigint;
  merchant: string;
  url: string;
  host: string;
  is_delta: boolean;
  max_bytes: bigint | null;
  max_rows: number | null;
  max_rejects: number | null;
  encoding: string | null;
  allow_private: boolean;
  header_names: string[];
  sealed_headers: string | null;
}

const storedValues = (row: StoredFeed) => [
  row.url,
  row.host,
  row.is_delta,
  row.max_bytes,
  row.max_rows,
  row.max_rejects,
  row.encoding,
  row.allow_private,
  row.header_names,
  row.sealed_headers,
];

/** What is given, or what is stored if nothing is. */
const pick = <Value>(given: Value | null | undefined, stored: Value | bigint | null) =>
  given === undefined ? stored : given;

/**
 * The stored headers, for a new address. Whoever changes the address must not get credentials sent to a server of their choice, so they
 * are kept only for the same origin.
 */
function headersFor(
  id: string,
  { sealed_headers: sealed, formerUrl }: StoredFeed & { formerUrl: string | undefined },
  url: URL,
  secretKey: string | undefined,
) {
  if (sealed === null) return {};
  if (formerUrl === undefined || url.origin !== new URL(formerUrl).origin) {
    throw new FeedInvalid(
      `The headers of feed ${id} were given for another server, so they are not sent to ${url.host}. Give them again (--header), or remove them (--no-headers).`,
      'headers',
    );
  }
  return openHeaders(sealed, formerUrl, secretKey);
}

const TOLD = ['url', 'every', 'mode', 'headers', 'allowPrivate', 'encoding', 'limits'] as const;

/** The settings that differ; `undefined` if none do. @param isTold settings to tell although they look as before, because secrets are not shown. */
function changed(before: FeedRecord, after: FeedRecord, isTold: { headers: boolean; url: boolean }) {
  const names = TOLD.filter(
    (name) =>
      (name in isTold && isTold[name as keyof typeof isTold]) ||
      JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return undefined;
  const of = (feed: FeedRecord) => Object.fromEntries(names.map((name) => [name, feed[name] ?? null]));
  return { before: of(before), after: of(after) };
}

const SUPERSEDED = 'The feed was changed while it was pulled, so this run stopped early and changed no offers.';

// By the primary key of feed.
const READ = `
  SELECT id, merchant, url, host, is_delta, max_bytes, max_rows, max_rejects, encoding, allow_private, header_names, sealed_headers
  FROM feed
  WHERE id = $1
  FOR UPDATE`;

const SUPERSEDE = `
  UPDATE feed_run
  SET finished_at = clock_timestamp(), outcome = 'superseded', message = $2::text
  FROM feed
  WHERE feed.id = $1 AND feed_run.id = feed.run_id AND feed_run.finished_at IS NULL`;

// What was known of the former content says nothing of the new one, nor does a confirmation of it.
const CHANGE = `
  UPDATE feed
  SET url = $2, host = $3, is_delta = $4, max_bytes = $5, max_rows = $6, max_rejects = $7, encoding = $8, allow_private = $9,
      header_names = $10::text[], sealed_headers = $11,
      run_id = NULL, leased_until = NULL, etag = NULL, last_modified = NULL, content_valid_until = NULL,
      needs_confirmation_at = NULL, confirmed_at = NULL, next_run_at = clock_timestamp()
  WHERE id = $1`;

const CHANGE_INTERVAL = `
  UPDATE feed
  SET every_seconds = $2::int,
      next_run_at = LEAST(next_run_at, clock_timestamp() + make_interval(secs => $2::int))
  WHERE id = $1`;
