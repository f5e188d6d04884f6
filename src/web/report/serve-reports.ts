/** `/feeds/{token}`: the report on a feed for the staff of its shop, who have its address and no account. HTML for browsers, else JSON. */
import { LRUCache } from 'lru-cache';
import type { FreeRequests } from '../../access/free-requests.ts';
import { digestOf } from '../../access/secret.ts';
import type { Queryable } from '../../database/database.ts';
import type { FeedReport } from '../../feeds/feed-report.ts';
import { isReportToken, readReport } from '../../feeds/read-report.ts';
import type { Handler } from '../../http/exchange.ts';
import { Problem } from '../../problem.ts';
import { remembered } from '../../remember.ts';
import { answerPrivate } from '../answer-page.tsx';
import type { Site } from '../layout.tsx';
import { prefersHtml } from '../prefers-html.ts';
import { NO_SUCH_REPORT, reportPage } from './page.tsx';

// Long enough that nobody can make the database work by reloading, and short enough that nobody notices.
const KEPT_MS = 5_000;
const MOST_KEPT = 500;

// The address is the only secret, so it must not stay in caches and search engines.
const PRIVATE = {
  'Cache-Control': 'private, no-store',
  'X-Robots-Tag': 'noindex, nofollow',
  Vary: 'Accept',
};
// Nor in the logs of other sites; answers without a page have this header anyway.
const PRIVATE_PAGE = { ...PRIVATE, 'Referrer-Policy': 'no-referrer' };

interface ReportServices {
  database: Queryable;
  /** Limits guesses at tokens as those at keys, and apart from them. */
  free: Pick<FreeRequests, 'look'>;
}

export function serveReports({ database, free }: ReportServices, site: Site): Handler {
  const kept = new LRUCache<string, Promise<FeedReport | undefined>>({ max: MOST_KEPT, ttl: KEPT_MS });

  const find = async (token: string, address: string): Promise<FeedReport | undefined> => {
    if (!isReportToken(token)) return undefined;
    const read = () => remembered(kept, token, () => readReport(database, token));
    try {
      const report = await free.look(digestOf(token), address, read, 'report');
      if (!report) kept.delete(token);
      return report;
    } catch (error) {
      throw error instanceof Problem && error.code === 'rate_limited' ? tooManyGuesses(error) : error;
    }
  };

  return async (exchange, { token = '' }) => {
    const isForPeople = prefersHtml(exchange, ['application/json']);
    const report = await find(token, exchange.addressOf());
    if (isForPeople) {
      return report
        ? answerPrivate(reportPage(report), site, { headers: PRIVATE_PAGE })
        : answerPrivate(NO_SUCH_REPORT, site, { status: 404, headers: PRIVATE_PAGE });
    }
    if (!report) throw notFound();
    const body = JSON.stringify(report);
    return {
      status: 200,
      headers: { ...PRIVATE, 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) },
      body,
    };
  };
}

const notFound = () =>
  new Problem(
    'not_found',
    'No report has this address: check that it is complete, or ask the operator of this service for a new one.',
    { headers: { Vary: 'Accept' } },
  );

function tooManyGuesses({ headers }: Problem): Problem {
  const seconds = headers['Retry-After'] ?? '60';
  return new Problem(
    'rate_limited',
    `Your address has asked for too many unknown reports or sent too many unknown keys: check the address of the report, wait ${seconds} seconds, then try again.`,
    { headers },
  );
}
