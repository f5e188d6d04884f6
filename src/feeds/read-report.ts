/** Reads the report on a feed by the token in its address: a few statements, each of which reads a bounded part of an index. */
import { clicksOfShop } from '../clicks/clicks-of-shop.ts';
import type { Queryable } from '../database/database.ts';
import { reportDigestOf } from '../database/sealed-columns.ts';
import { isRejectReason, REJECT_REASON } from '../import/reject.ts';
import { formatGtin, type Gtin14 } from '../values/gtin.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import {
  type Conflict,
  type FeedReport,
  type FeedStatus,
  type LastRows,
  type ReportedReason,
  type ReportedRun,
  SHOWN_CONFLICTS,
  SHOWN_DAYS,
  SHOWN_RUNS,
} from './feed-report.ts';
import { type RunReport, readOffers, readRunReport } from './run-report.ts';
import { shownMessage } from './shown-message.ts';

/** Whether a text has the form of a token. */
export const isReportToken = (text: string): boolean => /^[A-Za-z0-9_-]{32,128}$/.test(text);

/** The report with this token; `undefined` if there is none. */
export async function readReport(database: Queryable, token: string): Promise<FeedReport | undefined> {
  const [feed] = await database.query<FeedRow>(FIND_FEED, [token, reportDigestOf(token)], NAME);
  if (!feed) return undefined;
  const { id, merchantId } = feed;
  const [runs, [last], conflicts, clicks] = await Promise.all([
    database.query<RunRow>(LAST_RUNS, [id, SHOWN_RUNS], NAME),
    database.query<LastRow>(LAST_REPORT, [id], NAME),
    merchantId === null ? { total: 0, items: [] } : readConflicts(database, merchantId),
    merchantId === null ? [] : clicksOfShop(database, merchantId, SHOWN_DAYS),
  ]);
  const figures = readRunReport(last?.report);
  return {
    shop: { name: feed.merchant, listedOffers: feed.listedOffers ?? 0, lastSeenAt: stamp(feed.lastSeenAt) },
    feed: {
      status: statusOf(feed),
      host: feed.host,
      mode: feed.isDelta ? 'delta' : 'full',
      everySeconds: feed.everySeconds,
      isRunning: feed.isRunning,
      failures: feed.failures,
      lastSuccessAt: stamp(feed.lastSuccessAt),
      nextRunAt: feed.pausedAt === null ? stamp(feed.nextRunAt) : null,
    },
    runs: runs.map(runOf),
    lastRows: last && figures ? lastRowsOf(last, figures) : null,
    offers: readOffers(last?.offers) ?? null,
    conflicts,
    clicks,
  };
}

const NAME = { name: 'feed_report' };

const stamp = (moment: Date | null): string | null => moment && formatTimestamp(moment);

interface FeedRow {
  id: bigint;
  merchant: string;
  merchantId: bigint | null;
  host: string;
  isDelta: boolean;
  everySeconds: number;
  isRunning: boolean;
  failures: number;
  lastSuccessAt: Date | null;
  pausedAt: Date | null;
  nextRunAt: Date;
  needsConfirmationAt: Date | null;
  listedOffers: number | null;
  lastSeenAt: Date | null;
}

// By feed_report_digest_idx, or for a token that is not sealed yet, by the unique index on feed (report_token).
const FIND_FEED = `
  SELECT feed.id, feed.merchant, feed.merchant_id AS "merchantId", feed.host, feed.is_delta AS "isDelta",
         feed.every_seconds AS "everySeconds", COALESCE(feed.leased_until > now(), FALSE) AS "isRunning", feed.failures,
         feed.last_success_at AS "lastSuccessAt", feed.paused_at AS "pausedAt", feed.next_run_at AS "nextRunAt",
         feed.needs_confirmation_at AS "needsConfirmationAt", merchant.offer_count AS "listedOffers",
         merchant.observed_at AS "lastSeenAt"
  FROM feed
  LEFT JOIN merchant ON merchant.id = feed.merchant_id
  WHERE split_part(feed.report_token, ':', 4) = $2::text OR feed.report_token = $1::text`;

function statusOf({ pausedAt, needsConfirmationAt, failures, lastSuccessAt }: FeedRow): FeedStatus {
  if (pausedAt !== null) return 'paused';
  if (needsConfirmationAt !== null) return 'needs_confirmation';
  if (failures > 0) return 'failing';
  return lastSuccessAt === null ? 'waiting' : 'ok';
}

interface RunRow {
  startedAt: Date;
  finishedAt: Date | null;
  outcome: string | null;
  message: string | null;
  read: number | null;
  accepted: number | null;
  rejected: number | null;
}

// By feed_run_feed_idx.
const LAST_RUNS = `
  SELECT started_at AS "startedAt", finished_at AS "finishedAt", outcome, message,
         figures.read, figures.accepted, figures.rejected
  FROM feed_run
  LEFT JOIN LATERAL jsonb_to_record(report) AS figures (read INT, accepted INT, rejected INT) ON TRUE
  WHERE feed_id = $1
  ORDER BY id DESC
  LIMIT $2::int`;

const headOf = ({ startedAt, finishedAt, outcome, message }: Omit<RunRow, 'read' | 'accepted' | 'rejected'>) => ({
  startedAt: formatTimestamp(startedAt),
  finishedAt: stamp(finishedAt),
  outcome,
  message: message === null ? null : shownMessage(message),
});

const runOf = ({ read, accepted, rejected, ...head }: RunRow): ReportedRun => ({
  ...headOf(head),
  read,
  accepted,
  rejected,
});

interface LastRow extends Omit<RunRow, 'read' | 'accepted' | 'rejected'> {
  report: unknown;
  /** Of the last run that has them: a refused one has none. */
  offers: unknown;
  added: number | null;
  changed: number | null;
  same: number | null;
  withdrawn: number | null;
}

// By feed_run_feed_idx: a hundred runs of a feed are kept.
const LAST_REPORT = `
  SELECT run.started_at AS "startedAt", run.finished_at AS "finishedAt", run.outcome, run.message, run.report,
         imported.added, imported.changed, imported.same, imported.withdrawn,
         (
           SELECT counted.report -> 'offers'
           FROM feed_run AS counted
           WHERE counted.feed_id = run.feed_id AND counted.report -> 'offers' IS NOT NULL
           ORDER BY counted.id DESC
           LIMIT 1
         ) AS offers
  FROM feed_run AS run
  LEFT JOIN import_run AS imported ON imported.id = run.import_run_id
  WHERE run.feed_id = $1 AND run.report IS NOT NULL
  ORDER BY run.id DESC
  LIMIT 1`;

function lastRowsOf(last: LastRow, { read, accepted, rejected, reasons, coverage }: RunReport): LastRows {
  const { added, changed, same, withdrawn } = last;
  const isImported = added !== null && changed !== null && same !== null && withdrawn !== null;
  return {
    ...headOf(last),
    read,
    accepted,
    rejected,
    reasons: reasons.map(reasonOf),
    coverage,
    changes: isImported ? { new: added, changed, same, withdrawn } : null,
  };
}

/** The reason with its sentences, which this version lacks if a later one wrote the report. */
function reasonOf({ reason, rows, examples }: RunReport['reasons'][number]): ReportedReason {
  const { meaning, fix } = isRejectReason(reason) ? REJECT_REASON[reason] : { meaning: null, fix: null };
  return { reason, rows, meaning, fix, examples };
}

async function readConflicts(database: Queryable, merchantId: bigint): Promise<FeedReport['conflicts']> {
  const [[counted], items] = await Promise.all([
    database.query<{ total: number }>(COUNT_CONFLICTS, [merchantId], NAME),
    database.query<ConflictRow>(CONFLICTS, [merchantId, SHOWN_CONFLICTS], NAME),
  ]);
  return { total: counted?.total ?? 0, items: items.map(conflictOf) };
}

type ConflictRow = Omit<Conflict, 'gtin' | 'statedAt'> & { gtin: Gtin14; statedAt: Date };

const conflictOf = ({ gtin, statedAt, ...rest }: ConflictRow): Conflict => ({
  ...rest,
  gtin: formatGtin(gtin),
  statedAt: formatTimestamp(statedAt),
});

// By the primary key of identifier_dispute; a shop has at most 10,000 of them.
const COUNT_CONFLICTS = 'SELECT count(*)::int AS total FROM identifier_dispute WHERE merchant_id = $1';

const CONFLICTS = `
  SELECT dispute.gtin, by_gtin.slug AS "gtinProduct", dispute.asin, by_asin.slug AS "asinProduct",
         dispute.stated_at AS "statedAt"
  FROM (SELECT * FROM identifier_dispute WHERE merchant_id = $1 ORDER BY asin LIMIT $2::int) AS dispute
  LEFT JOIN product_identifier AS gtin ON gtin.kind = 'gtin' AND gtin.value = dispute.gtin
  LEFT JOIN product AS by_gtin ON by_gtin.id = gtin.product_id
  LEFT JOIN product_identifier AS asin ON asin.kind = 'asin' AND asin.value = dispute.asin
  LEFT JOIN product AS by_asin ON by_asin.id = asin.product_id
  ORDER BY dispute.asin`;
