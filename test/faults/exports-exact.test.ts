/**
 * Exports from three gateways stay exact while importers and gateways are killed: each export, brought up to date with the changes after
 * its cursor, equals all others. A client whose export is cut resumes it at another gateway.
 *
 * `KILLS` sets the number of rounds (2 by default); `SEED` repeats the changes of a failed run.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import type { Database } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { makePostgresDatabase } from '../harness/database.ts';
import type { Line } from '../harness/exports.ts';
import { feedRow, importRows } from '../harness/gateway.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { openRandomCatalogue, type RandomFeed, randomFrom, renameCategories } from '../harness/random-catalogue.ts';
import { type Copy, copyOf, replay } from '../harness/replay.ts';

const ROUNDS = Number(process.env.KILLS ?? 2);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const PUBLIC_URL = 'https://api.example.com';
const KINDS = ['offers', 'products'] as const;
// The importer starts for about this long before it reads the first row.
const KILLED_WITHIN_MS = 2_500;

const random = randomFrom(SEED);
const gateways: ServerProcess[] = [];
let home: { url: string; drop(): Promise<void> };
let database: Database;
let key: string;

const start = () => startServerProcess({ DATABASE_URL: home.url, PUBLIC_URL, LOG_LEVEL: 'info' });
beforeAll(async () => {
  home = await makePostgresDatabase();
  database = openPostgres({ url: home.url, purpose: 'bulk' });
  ({ key } = await createKey(database, { name: 'exports', plan: 'enterprise', rateLimit: 1_000_000 }));
  await renameCategories(database, 0);
  // So that exports take several pages, and kills hit them in the middle.
  await importRows(
    database,
    'Constant',
    Array.from({ length: 3_000 }, (_, n) => feedRow({ id: `${n}`, title: `Constant ${n}` })),
  );
  gateways.push(...(await Promise.all([start(), start(), start()])));
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.kill()));
  await database.close();
  await home.drop();
});

const startImport = ({ merchant, rows, mode }: RandomFeed): { child: ChildProcess; ended: Promise<unknown> } => {
  const words = ['import', '-', '--merchant', merchant, '--force', ...(mode === 'delta' ? ['--delta'] : [])];
  const child = spawn(process.execPath, ['dist/pda.js', ...words, '--rejects', '/dev/null'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { PATH: process.env.PATH, DATABASE_URL: home.url },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin?.on('error', () => {}); // The process was killed before it had read everything.
  child.stdin?.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return { child, ended: once(child, 'exit') };
};

/** Exports from any gateway, and resumes at another one after a cut. */
const take = async (kind: keyof Copy): Promise<{ lines: Line[]; cursor: string; cuts: number }> => {
  const lines: Line[] = [];
  let cursor: string | undefined;
  for (let cuts = 0; ; cuts += 1) {
    const query = cursor === undefined ? '' : `?cursor=${cursor}${lines.length > 0 ? `&after=${lines.at(-1).id}` : ''}`;
    const { address } = gateways[Math.floor(Math.random() * gateways.length)] as ServerProcess;
    let rest = '';
    try {
      const response = await fetch(`${address}/api/v1/exports/${kind}${query}`, { headers: { 'x-api-key': key } });
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      cursor = response.headers.get('changes-cursor') ?? undefined;
      const decoder = new TextDecoder();
      const body = response.body as unknown as AsyncIterable<Uint8Array> | null;
      for await (const chunk of body ?? []) {
        const texts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = texts.pop() ?? '';
        for (const text of texts) {
          const line = JSON.parse(text);
          if (line.end === true) return { lines, cursor: line.cursor, cuts };
          lines.push(line);
        }
      }
    } catch (error) {
      // A killed gateway: another one continues.
      if (cuts > 100) throw error;
    }
  }
};

test(
  `exports are exact after ${ROUNDS} rounds of kills (KILLS=50 for a longer run, SEED=${SEED})`,
  async () => {
    const catalogue = openRandomCatalogue(random);
    const taken: { kind: keyof Copy; round: number; lines: Line[]; cursor: string }[] = [];
    let killed = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { child, ended } = startImport(catalogue.feed());
      const timer = setTimeout(() => child.kill('SIGKILL'), random() * 2 * KILLED_WITHIN_MS);
      const takes = Promise.all(KINDS.map(async (kind) => ({ kind, round, ...(await take(kind)) })));
      if (round % 2 === 0) {
        const index = round % gateways.length;
        await gateways[index]?.kill();
        gateways[index] = await start();
      }
      await ended;
      clearTimeout(timer);
      if (child.signalCode === 'SIGKILL') killed += 1;
      taken.push(...(await takes));
      if (catalogue.maybe(0.3)) await catalogue.administer(database);
    }
    await startImport(catalogue.feed()).ended;

    const last = { offers: await take('offers'), products: await take('products') };
    for (const [index, { kind, round, lines, cursor }] of taken.entries()) {
      const copy = copyOf(lines);
      const { address } = gateways[index % gateways.length] as ServerProcess;
      await replay(copy, kind, cursor, { address, key });
      expect([kind, round, ...sorted(copy)]).toEqual([kind, round, ...sorted(copyOf(last[kind].lines))]);
    }
    process.stdout.write(`${killed} of ${ROUNDS} importers were killed (seed ${SEED})\n`);
  },
  120_000 + ROUNDS * 30_000,
);

const sorted = (copy: Copy['offers']) => [...copy.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
