/** A server's clock passes the end of a month under load and is set back again: each request is counted in exactly one month. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import { ask } from '../harness/gateway.ts';
import { fillHome, type Home, LOOKUP, makeHome } from '../harness/home.ts';
import { startLoad } from '../harness/load.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';

const QUOTA = 100;
const MINUTE_MS = 60_000;

let home: Home;
let folder: string;
let clock: string;
let server: ServerProcess;
let loadKey: string;
let quotaKey: string;

/** The end of the month in which the test runs. */
const now = new Date();
const monthEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
const monthOf = (moment: number) => new Date(moment).toISOString().slice(0, 7);
const [oldMonth, newMonth] = [monthOf(monthEnd - 1), monthOf(monthEnd)];

/** Sets the server's clock to this time, relative to the end of the month. */
function setClock(afterMonthEndMs: number): void {
  writeFileSync(`${clock}.new`, String(monthEnd + afterMonthEndMs - Date.now()));
  renameSync(`${clock}.new`, clock);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pda-clock-'));
  clock = join(folder, 'ahead');
  setClock(-10 * MINUTE_MS);
  home = await makeHome();
  loadKey = await fillHome(home);
  quotaKey = await home.within(
    async (database) => (await createKey(database, { name: 'quota', plan: 'free', rateLimit: 1_000_000 })).key,
  );
  const preload = pathToFileURL(join(import.meta.dirname, '..', 'harness', 'shifted-clock.mjs')).href;
  server = await startServerProcess({ ...home.environment, CLOCK_FILE: clock, NODE_OPTIONS: `--import=${preload}` });
});
afterEach(async () => {
  await server.kill();
  await home.remove();
  rmSync(folder, { recursive: true, force: true });
});

const booksOf = (name: string) =>
  home.within(async (database) => {
    const rows = await database.query<{ month: string; used: bigint }>(
      'SELECT month, used FROM usage_counter JOIN api_key ON api_key.id = key_id WHERE name = $1 ORDER BY month',
      [name],
    );
    return Object.fromEntries(rows.map(({ month, used }) => [month, Number(used)]));
  });
const lookUp = async () => {
  const { status, headers } = await ask(server.address + LOOKUP, { key: quotaKey });
  return { status, remaining: Number(headers.get('x-quota-remaining')) };
};
/** Repeats a lookup until it has the status. @returns how many had another one. */
async function refusedUntil(status: number): Promise<number> {
  for (let refused = 0; ; refused += 1) if ((await lookUp()).status === status) return refused;
}

test('a used-up quota is full again in the next month, and each request is counted in exactly one month', async () => {
  const load = startLoad({ addresses: [server.address], key: loadKey, paths: [LOOKUP], clients: 4 });
  for (let used = 1; used <= QUOTA; used += 1) expect(await lookUp()).toEqual({ status: 200, remaining: QUOTA - used });
  expect(await lookUp()).toEqual({ status: 402, remaining: 0 });
  await load.answers(200, 30);

  setClock(0);
  await refusedUntil(200);
  expect(await lookUp()).toEqual({ status: 200, remaining: QUOTA - 2 });
  await load.answers(200, 30);

  // Back in the old month its quota is used up again, and the new month keeps its count.
  setClock(-5 * MINUTE_MS);
  await refusedUntil(402);
  expect(await lookUp()).toEqual({ status: 402, remaining: 0 });
  await load.answers(200, 30);

  setClock(MINUTE_MS);
  await refusedUntil(200);
  const { status, remaining } = await lookUp();
  const quotaBooks = await booksOf('quota');
  expect(status).toBe(200);
  expect(quotaBooks).toEqual({ [oldMonth]: QUOTA, [newMonth]: QUOTA - remaining });
  await load.answers(200, 30);

  const books = await load.stop();
  expect(books.count(200)).toBe(books.asked.length);
  expect(await server.stop()).toBe(0);
  const counted = await booksOf('load');
  expect(Object.keys(counted)).toEqual([oldMonth, newMonth]);
  expect((counted[oldMonth] ?? 0) + (counted[newMonth] ?? 0)).toBe(books.count(200));
});
