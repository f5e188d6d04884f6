/** A complete service for a test that breaks its parts: a PostgreSQL server, a catalogue, a key, and real gateways. */
import { expect } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { eventually } from './eventually.ts';
import { feedRow, importRows } from './gateway.ts';
import { type Books, deducted, type Load, type LoadOptions, startLoad } from './load.ts';
import { freePort, type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { type ServerProcess, startServerProcess } from './process.ts';

export const EAN = '4006381333931';
export const LOOKUP = `/api/v1/lookup?ean=${EAN}`;

/** The longest time until a response, whatever has happened to the database (docs/operations.md). */
export const LONGEST_ANSWER_MS = 6_000;
// Load, faults and checks share two cores with other tests.
const SLACK_MS = 2_000;

export interface Service {
  postgres: PostgresServer;
  /** The test's own connection to the database. */
  database: Database;
  key: string;
  gateways: ServerProcess[];
  /** Starts a gateway. */
  start(environment?: Record<string, string>): Promise<ServerProcess>;
  load(options?: Partial<LoadOptions>): Load;
  /** Requests a path of a gateway with the key. */
  ask(path: string, gateway?: ServerProcess): Promise<Response>;
  /** Reads a metric of a gateway. */
  metric(name: string, gateway?: ServerProcess): Promise<number | undefined>;
  end(): Promise<void>;
}

/**
 * Starts PostgreSQL and adds one product and a key. The test starts the gateways.
 * @param prepare called with the server while its database is empty.
 */
export async function startService(
  settings: readonly string[] = [],
  prepare?: (postgres: PostgresServer) => Promise<void>,
): Promise<Service> {
  const postgres = await startPostgresServer(settings);
  await prepare?.(postgres);
  const database = openPostgres({ url: postgres.url, purpose: 'bulk', poolSize: 2 });
  await migrate(database);
  await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN })]);
  const { key } = await createKey(database, { name: 'load', plan: 'enterprise', rateLimit: 1_000_000 });
  const gateways: ServerProcess[] = [];
  const metricsPorts = new Map<ServerProcess, number>();
  const first = () => {
    const [gateway] = gateways;
    if (!gateway) throw new Error('No gateway has been started.');
    return gateway;
  };

  return {
    postgres,
    database,
    key,
    gateways,
    async start(environment = {}) {
      const metricsPort = await freePort();
      const gateway = await startServerProcess({
        DATABASE_URL: postgres.url,
        METRICS_PORT: String(metricsPort),
        ...environment,
      });
      gateways.push(gateway);
      metricsPorts.set(gateway, metricsPort);
      return gateway;
    },
    load: (options) =>
      startLoad({ addresses: gateways.map(({ address }) => address), key, paths: [LOOKUP], ...options }),
    ask: (path, gateway = first()) => fetch(gateway.address + path, { headers: { 'x-api-key': key } }),
    async metric(name, gateway = first()) {
      const text = await (await fetch(`http://127.0.0.1:${metricsPorts.get(gateway)}/metrics`)).text();
      const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
      return value === undefined ? undefined : Number(value);
    },
    async end() {
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await database.close();
      await postgres.remove();
    },
  };
}

/** Expects what every client may rely on while a part of the service is broken: a timely response, and Retry-After with each 503. */
export function expectCalm({ asked, hangs, slowestMs }: Books): void {
  expect(hangs).toBe(0);
  expect(
    asked.filter(({ status }) => status !== 200 && status !== 503).map(({ status, body }) => [status, body]),
  ).toEqual([]);
  const silent = asked.filter(({ status, headers }) => status === 503 && !/^\d+$/.test(String(headers['retry-after'])));
  expect(silent).toEqual([]);
  expect(slowestMs).toBeLessThan(LONGEST_ANSWER_MS + SLACK_MS);
}

/** Expects that exactly the answered requests are deducted, once all refunds have been made. */
export async function expectBalance(database: Database, { charged, unanswered }: Books): Promise<void> {
  expect(unanswered).toBe(0);
  expect(
    await eventually(
      () => deducted(database),
      (used) => used === charged,
      10_000,
    ),
  ).toBe(charged);
}
