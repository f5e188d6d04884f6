/** The report on a feed for the staff of its shop: the members of its JSON, which the page shows too. */
import type { DayClicks } from '../clicks/clicks-of-shop.ts';
import type { RejectedExample, RunReport } from './run-report.ts';

/** The runs in a report, the days of clicks, and the listed conflicts. */
export const SHOWN_RUNS = 30;
export const SHOWN_DAYS = 30;
export const SHOWN_CONFLICTS = 20;

/**
 * `waiting`: it has not been pulled yet. `needs_confirmation`: the last feed would withdraw more than half of the offers, and an operator
 * decides. `failing`: the last run failed.
 */
export type FeedStatus = 'waiting' | 'ok' | 'failing' | 'needs_confirmation' | 'paused';

/** A run: figures are null if nothing was read, such as of unchanged content. Times are RFC 3339. */
export interface ReportedRun {
  startedAt: string;
  finishedAt: string | null;
  /** Null while it runs. */
  outcome: string | null;
  message: string | null;
  read: number | null;
  accepted: number | null;
  rejected: number | null;
}

/** Rejected rows, why they are rejected, and what the shop can do. */
export interface ReportedReason {
  reason: string;
  rows: number;
  meaning: string | null;
  fix: string | null;
  examples: RejectedExample[];
}

/** The last run that read rows. Offers are counted as the import changed them; null unless it was imported. */
export interface LastRows extends Omit<ReportedRun, 'read' | 'accepted' | 'rejected'> {
  read: number;
  accepted: number;
  rejected: number;
  reasons: ReportedReason[];
  coverage: RunReport['coverage'];
  changes: { new: number; changed: number; same: number; withdrawn: number } | null;
}

/** A claim of the shop that a GTIN and an ASIN belong to one product, while the catalogue has them at two. Products are slugs. */
export interface Conflict {
  gtin: string;
  gtinProduct: string | null;
  asin: string;
  asinProduct: string | null;
  statedAt: string;
}

export interface FeedReport {
  shop: { name: string; listedOffers: number; lastSeenAt: string | null };
  feed: {
    status: FeedStatus;
    /** The host that the feed is pulled from. Its path and query may contain secrets. */
    host: string;
    mode: 'full' | 'delta';
    everySeconds: number;
    isRunning: boolean;
    /** Runs that failed in a row. */
    failures: number;
    lastSuccessAt: string | null;
    /** Null while the feed is paused. */
    nextRunAt: string | null;
  };
  /** The newest first. */
  runs: ReportedRun[];
  lastRows: LastRows | null;
  /** The offers after the last import. */
  offers: RunReport['offers'] | null;
  conflicts: { total: number; items: Conflict[] };
  /** The oldest day first. */
  clicks: DayClicks[];
}
