/**
 * Mixed load during imports for half an hour: `npm run soak`. Two gateways use a temporary PostgreSQL database on the server of
 * BENCH_DATABASE_URL (by default `postgresql://postgres@127.0.0.1:5432/postgres`), and REDIS_URL if it is set.
 *
 * Options: `--minutes 30`; `--embedded` for one gateway on an embedded database. Exits with status 1 if a request failed, a count
 * is wrong, or memory grew by more than a tenth.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type SoakReport, soak } from '../test/harness/soak.ts';
import { temporaryDatabase } from './databases.ts';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, embedded: { type: 'boolean', default: false } },
});
const LARGEST_GROWTH = 1.1;

const seconds = Number(options.minutes) * 60;
const report = options.embedded ? await onEmbedded() : await onPostgres();
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
const problems = problemsOf(report);
process.stdout.write(problems.length === 0 ? 'The soak test passed.\n' : `${problems.join('\n')}\n`);
process.exit(problems.length === 0 ? 0 : 1);

async function onEmbedded(): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'pda-soak-'));
  try {
    return await soak({ seconds, environment: { DATA_DIR: folder }, gateways: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onPostgres(): Promise<SoakReport> {
  const server = process.env.BENCH_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
  const { url, drop } = await temporaryDatabase(server);
  const redis: Record<string, string> = process.env.REDIS_URL ? { REDIS_URL: process.env.REDIS_URL } : {};
  try {
    return await soak({ seconds, environment: { DATABASE_URL: url, ...redis }, gateways: 2 });
  } finally {
    await drop();
  }
}

function problemsOf({ faults, books, memory }: SoakReport): string[] {
  return [
    ...faults,
    ...books
      .filter(({ answered, counted }) => answered !== counted)
      .map(({ key, answered, counted }) => `The key ${key} got ${answered} answers, but its counter is ${counted}.`),
    ...memory
      .filter(({ early, late }) => late.residentMegabytes > LARGEST_GROWTH * early.residentMegabytes)
      .map(({ early, late }) => `Memory grew from ${early.residentMegabytes} to ${late.residentMegabytes} MiB.`),
  ];
}
