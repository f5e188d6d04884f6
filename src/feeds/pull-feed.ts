/** Pulls one feed that was claimed: downloads its content, imports it or records that it is unchanged, and records how that ended. */
import type { LookupFunction } from 'node:net';
import type { Database } from '../database/database.ts';
import { vaultOf } from '../database/vault.ts';
import { FeedRefused } from '../import/feed-refused.ts';
import { importFeed } from '../import/import-feed.ts';
import { DEFAULT_LIMITS, type ImportSummary } from '../import/import-request.ts';
import type { FeedMarket } from '../import/item-price.ts';
import type { ByteStream } from '../import/readers/web-source.ts';
import { recordUnchanged } from '../import/record-unchanged.ts';
import { BrokenFeed } from '../import/reject.ts';
import { DAY_MS } from '../values/day.ts';
import { encodeId } from '../values/id.ts';
import { excerpt } from '../values/printable.ts';
import { type ClaimedFeed, RunLost } from './claim.ts';
import { openReportCollector, type ReportCollector } from './collect-report.ts';
import { recordCheapest } from './count-cheapest.ts';
import { type Download, type DownloadRequest, downloadFeed } from './download.ts';
import { requireUrl } from './feed-url.ts';
import { ContentForgotten, readOutcome, recordRunFailure, recordSuccess, requireContent } from './record-run.ts';
import { openHeaders } from './seal-headers.ts';

export interface PullOptions {
  market: FeedMarket;
  secretKey: string | undefined;
  /** The longest time of a download. */
  downloadMs: number;
  /** Runs an import when it is its turn: one at a time in a process. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  lookup?: LookupFunction | undefined;
}

/** How a run ended; `summary` of those that were imported or unchanged, `message` of the others. */
export interface Pulled {
  outcome: 'imported' | 'unchanged' | 'refused' | 'broken' | 'failed' | 'superseded';
  summary?: ImportSummary;
  message?: string;
  error?: unknown;
}

const LONGEST_MESSAGE = 500;

/**
 * Pulls a feed. @param signal ends it when the process stops or has lost the run.
 * @throws the signal's reason, and errors of the database when the outcome could not be recorded.
 */
export async function pullFeed(
  database: Database,
  feed: ClaimedFeed,
  options: PullOptions,
  signal: AbortSignal,
): Promise<Pulled> {
  let download: Download | undefined;
  const collector = openReportCollector();
  try {
    const request = downloadRequestOf({ ...feed, url: requireUrl(vaultOf(database), feed) }, options, signal);
    download = await downloadFeed(request);
    const isUnchanged = feed.contentImportId !== null && (!download || download.digest === feed.contentDigest);
    if (isUnchanged) {
      try {
        const summary = await options.inTurn(() => keep(database, feed, download, signal));
        // Other shops may have changed their prices.
        if (feed.shopId !== null) await countAnew(database, feed, feed.shopId, signal);
        return { outcome: 'unchanged', summary };
      } catch (error) {
        if (!(error instanceof ContentForgotten)) throw error;
        download ??= await downloadFeed({ ...request, known: undefined });
      }
    }
    if (!download) throw new BrokenFeed('the feed was not sent; try again later');
    const content = download;
    const summary = await options.inTurn(() => take(database, feed, content, { ...options, collector }, signal));
    return { outcome: 'imported', summary };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RunLost) return { outcome: 'superseded', message: error.message };
    return await fail(database, feed, download, collector, error);
  } finally {
    await download?.close();
  }
}

function downloadRequestOf(feed: ClaimedFeed, options: PullOptions, signal: AbortSignal): DownloadRequest {
  const { url, sealedHeaders, etag, lastModified } = feed;
  const isKnown = feed.contentDigest !== null && feed.contentImportId !== null;
  return {
    url,
    headers: sealedHeaders === null ? {} : openHeaders(sealedHeaders, url, options.secretKey),
    known: isKnown ? { etag: etag ?? undefined, lastModified: lastModified ?? undefined } : undefined,
    maxBytes: limitsOf(feed).maxBytes,
    isPrivateAllowed: feed.allowPrivate,
    totalMs: options.downloadMs,
    signal,
    lookup: options.lookup,
  };
}

/** Records that the content is unchanged. @param download absent if the server said so. */
async function keep(
  database: Database,
  feed: ClaimedFeed,
  download: Download | undefined,
  signal: AbortSignal,
): Promise<ImportSummary> {
  signal.throwIfAborted();
  const { contentImportId, contentDigest } = feed;
  if (contentImportId === null || contentDigest === null) throw new ContentForgotten();
  return recordUnchanged(database, {
    lastRunId: contentImportId,
    observedAt: new Date(),
    startedAt: feed.startedAt,
    async onRecorded(transaction, importRunId) {
      await requireContent(transaction, feed);
      await recordSuccess(transaction, feed, {
        outcome: 'unchanged',
        importRunId,
        bytes: download?.bytes ?? 0,
        digest: contentDigest,
        etag: download ? download.etag : (feed.etag ?? undefined),
        lastModified: download ? download.lastModified : (feed.lastModified ?? undefined),
      });
      signal.throwIfAborted();
    },
  });
}

/** Imports the content. */
async function take(
  database: Database,
  feed: ClaimedFeed,
  download: Download,
  { market, collector }: PullOptions & { collector: ReportCollector },
  signal: AbortSignal,
): Promise<ImportSummary> {
  signal.throwIfAborted();
  const observedAt = new Date();
  let shopId: bigint | undefined;
  const summary = await importFeed(database, market, {
    feed: () => until(signal, download.read()),
    merchant: feed.merchant,
    mode: feed.isDelta ? 'delta' : 'full',
    isForced: feed.isForced,
    isInBackground: true,
    observedAt,
    encoding: feed.encoding ?? undefined,
    limits: limitsOf(feed),
    observer: collector.observer,
    signal,
    async onRecorded(transaction, { runId, merchantId, pricesChangeAt }) {
      shopId = merchantId;
      // The content is imported again after a day even if it is unchanged: what other shops state may match its rows differently.
      const tomorrow = observedAt.getTime() + DAY_MS;
      await recordSuccess(transaction, feed, {
        outcome: 'imported',
        importRunId: runId,
        merchantId,
        bytes: download.bytes,
        digest: download.digest,
        etag: download.etag,
        lastModified: download.lastModified,
        validUntil: new Date(Math.min(pricesChangeAt?.getTime() ?? tomorrow, tomorrow)),
        report: collector.report(),
      });
      signal.throwIfAborted();
    },
  });
  // The import has taken effect: without this count, the shop sees the one of the run before.
  if (shopId !== undefined) await countAnew(database, feed, shopId, signal);
  return summary;
}

/** Adds to the report how the shop's offers compare now. The run has taken effect, even if this fails. */
async function countAnew(
  database: Database,
  { runId }: ClaimedFeed,
  shopId: bigint,
  signal: AbortSignal,
): Promise<void> {
  await recordCheapest(database, { runId, shopId, signal }).catch(() => {});
}

/** The content, until the signal ends it. */
function until(signal: AbortSignal, { bytes, totalBytes }: ByteStream): ByteStream {
  async function* read() {
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      yield chunk;
    }
  }
  return { bytes: read(), totalBytes };
}

/** Records a failure, unless the run took effect before it. */
async function fail(
  database: Database,
  feed: ClaimedFeed,
  download: Download | undefined,
  collector: ReportCollector,
  error: unknown,
): Promise<Pulled> {
  const outcome = error instanceof FeedRefused ? 'refused' : error instanceof BrokenFeed ? 'broken' : 'failed';
  const message = excerpt(messageOf(feed, error), LONGEST_MESSAGE);
  try {
    const needsConfirmation = error instanceof FeedRefused;
    const report = collector.report();
    await recordRunFailure(database, feed, {
      outcome,
      message,
      needsConfirmation,
      bytes: download?.bytes,
      // A feed of which no row was read tells the shop nothing.
      report: report.read > 0 ? report : undefined,
    });
  } catch (second) {
    if (!(second instanceof RunLost)) throw second;
    // What fails after the commit, or loses its answer, has not undone it.
    const recorded = await readOutcome(database, feed);
    return recorded === 'imported' || recorded === 'unchanged'
      ? { outcome: recorded, error }
      : { outcome: 'superseded', message: second.message };
  }
  return { outcome, message, error };
}

function messageOf({ id }: ClaimedFeed, error: unknown): string {
  if (!(error instanceof FeedRefused)) return error instanceof Error ? error.message || error.name : String(error);
  const name = encodeId('feed', id);
  return `${error.fact} Check whether the feed is complete; to import it as it is, use \`pda feeds run ${name} --confirm\`.`;
}

const limitsOf = ({ maxBytes, maxRows, maxRejects }: ClaimedFeed) => ({
  ...DEFAULT_LIMITS,
  ...(maxBytes !== null && { maxBytes: Number(maxBytes) }),
  ...(maxRows !== null && { maxRows }),
  ...(maxRejects !== null && { maxRejects }),
});
