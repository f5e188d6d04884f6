/** A whole service of a test's own, whose parts may be broken: a PostgreSQL server, a catalogue, a key, and real gateways. */
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

/** The longest that anybody waits for an answer, whatever has happened to the database (docs/operations.md). */
export const LONGEST_ANSWER_MS = 6_000;
// Load, faults and checks share two cores with other tests.
const SLACK_MS = 2_000;

export interface Service {
  postgres: PostgresServer;
  /** The test's own way to the data. */
  database: Database;
  key: string;
  gateways: ServerProcess[];
  /** Starts a gateway. */
  start(environment?: Record<string, string>): Promise<ServerProcess>;
  load(options?: Partial<LoadOptions>): Load;
  /** Asks a gateway for a path, with the key. */
  ask(path: string, gateway?: ServerProcess): Promise<Response>;
  /** Reads a metric of a gateway. */
  metric(name: string, gateway?: ServerProcess): Promise<number | undefined>;
  end(): Promise<void>;
}

/** Starts PostgreSQL, and fills it with one product and a key; gateways are then started by the test. */
export async function startService(settings: readonly string[] = []): Promise<Service> {
  const postgres = await startPostgresServer(settings);
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

/** What every client may expect while a part of the service is broken: an answer in time, and one that says when to ask again. */
export function expectCalm({ asked, hangs, slowestMs }: Books): void {
  expect(hangs).toBe(0);
  expect(
    asked.filter(({ status }) => status !== 200 && status !== 503).map(({ status, body }) => [status, body]),
  ).toEqual([]);
  const silent = asked.filter(({ status, headers }) => status === 503 && !/^\d+$/.test(String(headers['retry-after'])));
  expect(silent).toEqual([]);
  expect(slowestMs).toBeLessThan(LONGEST_ANSWER_MS + SLACK_MS);
}

/** What is deducted is what was answered, once all that is owed has been refunded. */
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
