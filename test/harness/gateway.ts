/** A real server on a free port with its own database, and the few actions that tests need. */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import type { PlanId } from '../../src/access/plans.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { startPuller } from '../../src/feeds/puller.ts';
import { feedLog, pullerOptions } from '../../src/feeds/puller-options.ts';
import { type Gateway, startGateway } from '../../src/gateway.ts';
import type { Document } from '../../src/graphql/document.ts';
import { importFeed } from '../../src/import/import-feed.ts';
import type { ImportRequest, ImportSummary } from '../../src/import/import-request.ts';
import { openLog } from '../../src/operations/log.ts';
import { openTestDatabase } from './database.ts';

/** A response with its body, which is parsed if it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape, and fail if they are not as expected.
  body: any;
  text: string;
}

export interface Asking extends RequestInit {
  /** The key to send with the request. */
  key?: string;
}

export interface TestGateway extends Gateway {
  database: Database;
  /** Requests a path, without following redirects. */
  get(path: string, asking?: Asking): Promise<Answer>;
  graphql(query: string, asking?: Asking & { variables?: Record<string, unknown> }): Promise<Answer>;
  /** Runs a typed document and returns its data; throws if there are errors. */
  query<Result, Variables>(document: Document<Result, Variables>, variables: Variables, key: string): Promise<Result>;
  /** Creates a key with a limit of `rateLimit` requests a minute, a million by default; `null` is the limit of its plan. */
  makeKey(
    plan: PlanId,
    options?: { rateLimit?: number | null; monthlyQuota?: number; expiresAt?: Date },
  ): Promise<{ id: string; key: string }>;
  /** Imports rows, given as objects with Google's field names, as one shop's feed. */
  importRows(merchant: string, rows: readonly FeedRowFields[], options?: ImportOptions): Promise<ImportSummary>;
}

/** How to import; the market is EUR and DE by default. */
export type ImportOptions = Partial<ImportRequest> & { currency?: string; country?: string };

export type FeedRowFields = Record<string, unknown>;

/** A valid row with default values for the fields that a test does not set. */
export function feedRow(fields: FeedRowFields & { id: string }): FeedRowFields {
  return {
    title: `Thing ${fields.id}`,
    link: `https://shop.example/${fields.id}`,
    price: '10.00 EUR',
    availability: 'in_stock',
    ...fields,
  };
}

/** The parts of a request that posts JSON. */
export const posting = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Starts a gateway. @param environment variables that differ from the defaults. @param home its database; a new one by default. */
export async function startTestGateway(
  environment: Record<string, string> = {},
  home?: Database,
): Promise<TestGateway> {
  const database = home ?? (await openTestDatabase());
  // Tests must see their imports at once, but cached responses may be almost a second old.
  const defaults = {
    PORT: '0',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    ANSWER_CACHE_MB: '0',
    DRAIN_DELAY_SECONDS: '0',
    // Feeds that a test only shows are not pulled.
    FEEDS: 'off',
  };
  const config: Config = readConfig({ ...defaults, ...environment });
  // Servers in production do not look for the demo's past.
  const isProduction = environment.NODE_ENV !== 'development';
  const gateway = await startGateway({ ...config, areFeedsPulled: false, isProduction }, database);
  // The gateway's own process for feeds reads its environment, which is not that of the test.
  const observer = feedLog(openLog(config.logLevel));
  const puller = config.areFeedsPulled ? startPuller(database, { ...pullerOptions(config), observer }) : undefined;
  const get = (path: string, asking: Asking = {}) => ask(gateway.address + path, asking);
  const graphql: TestGateway['graphql'] = (query, { variables, ...asking } = {}) =>
    get('/graphql', { ...asking, ...posting({ query, variables }, asking.headers as Record<string, string>) });

  return {
    ...gateway,
    async stop(options) {
      await puller?.stop();
      await gateway.stop(options);
    },
    database,
    get,
    graphql,
    async query(document, variables, key) {
      const { body } = await graphql(document, { key, variables: variables as Record<string, unknown> });
      if (body.errors) throw new Error(`The document was answered with errors: ${JSON.stringify(body.errors)}`);
      return body.data;
    },
    makeKey: (plan, { rateLimit = 1_000_000, ...options } = {}) =>
      createKey(database, { name: `test ${plan}`, plan, rateLimit: rateLimit ?? undefined, ...options }),
    importRows: (merchant, rows, options) => importRows(database, merchant, rows, options),
  };
}

/** Imports rows into any database, as {@link TestGateway.importRows} does. */
export async function importRows(
  database: Database,
  merchant: string,
  rows: readonly FeedRowFields[],
  { currency = 'EUR', country = 'DE', ...options }: ImportOptions = {},
): Promise<ImportSummary> {
  const feed = join(tmpdir(), `pda-feed-${randomBytes(8).toString('hex')}.jsonl`);
  writeFileSync(feed, rows.map((row) => `${JSON.stringify(row)}\n`).join('') || 'id\ttitle\n');
  try {
    return await importFeed(
      database,
      { currency, country },
      { feed, merchant, mode: 'full', observedAt: new Date(), ...options },
    );
  } finally {
    rmSync(feed);
  }
}

/** Expects that a request was refused because of a parameter. */
export function expectInvalid({ status, body }: Answer, parameter: string): void {
  expect([status, body.code, body.parameter]).toEqual([400, 'invalid_parameter', parameter]);
}

/** Sends a request and reads the whole response. */
export async function ask(url: string, { key, ...init }: Asking = {}): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (key !== undefined) headers.set('x-api-key', key);
  const response = await fetch(url, { redirect: 'manual', ...init, headers });
  const text = await response.text();
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined, text };
}
