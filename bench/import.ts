/**
 * How fast and in how much memory a feed is imported, by the command that operators use: `npm run bench:import`.
 *
 * Into the embedded database, and into PostgreSQL when BENCH_DATABASE_URL names a server on which a database may be made.
 * Each home: a first import into an empty catalogue, a second of the same feed, and another shop's feed of the same goods.
 * Options: `--items 1000000` (PostgreSQL), `--embedded-items 50000`, `--json FILE`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPostgres } from '../src/database/postgres.ts';
import { introduce, keepFigures, note } from './figures.ts';
import { goods } from './goods.ts';

const { values: options } = parseArgs({
  options: {
    items: { type: 'string', default: '1000000' },
    'embedded-items': { type: 'string', default: '50000' },
    json: { type: 'string' },
  },
});

async function writeFeed(path: string, count: number, cents: (index: number) => number): Promise<void> {
  const file = createWriteStream(path);
  file.write('id\ttitle\tdescription\tlink\timage_link\tprice\tavailability\tbrand\tgtin\tmpn\tshipping\n');
  let index = 0;
  for await (const { gtin, name, brand } of goods(count)) {
    index += 1;
    const row = [
      `sku-${index}`,
      name,
      `${name} by ${brand}, described in a sentence or two, as shops do.`,
      `https://shop.example/p/${index}`,
      `https://images.example/${index}.jpg`,
      `${(cents(index) / 100).toFixed(2)} EUR`,
      'in stock',
      brand,
      gtin,
      `M-${index}`,
      'DE::Standard:4.90 EUR',
    ];
    if (!file.write(`${row.join('\t')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

/** Runs `pda import` and gives how long it took and the most memory that it held. */
async function importOnce(feed: string, merchant: string, environment: Record<string, string>) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['dist/pda.js', 'import', feed, '--merchant', merchant, '--json'], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMegabytes = 0;
  const watch = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, peakOf(child));
  }, 200);
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const [status] = await once(child, 'close');
  clearInterval(watch);
  if (status !== 0) throw new Error(`The import ended with status ${status}.`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMegabytes, summary: JSON.parse(said) };
}

/** The most memory that a process has held so far, as Linux keeps it; 0 elsewhere. */
function peakOf(child: ChildProcess): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1000;
  } catch {
    return 0; // It has just ended, or this is not Linux.
  }
}

async function measure(
  home: string,
  items: number,
  environment: Record<string, string>,
  targets: { rate: number; memory?: number },
) {
  const folder = mkdtempSync(join(tmpdir(), 'pda-bench-'));
  const [one, other] = [join(folder, 'one.tsv'), join(folder, 'other.tsv')];
  try {
    await writeFeed(one, items, (index) => 100 + ((index * 7919) % 99_900));
    await writeFeed(other, items, (index) => 100 + ((index * 104_729) % 99_900));
    const first = await importOnce(one, 'One', environment);
    const second = await importOnce(one, 'One', environment);
    const joined = await importOnce(other, 'Other', environment);
    note(`${home}: ${items} items, all new goods`, items / first.seconds, 'offers/s', targets.rate);
    note(`${home}: another shop's offers for the same goods`, items / joined.seconds, 'offers/s', targets.rate);
    note(`${home}: the same feed again`, items / second.seconds, 'offers/s');
    note(
      `${home}: the most memory of the importer`,
      Math.max(first.peakMegabytes, joined.peakMegabytes),
      'MB',
      targets.memory,
      true,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

introduce();
const embedded = mkdtempSync(join(tmpdir(), 'pda-bench-data-'));
await measure('embedded', Number(options['embedded-items']), { DATA_DIR: embedded }, { rate: 3_000 });
rmSync(embedded, { recursive: true, force: true });

const server = process.env.BENCH_DATABASE_URL;
if (server === undefined) {
  process.stdout.write(
    'PostgreSQL: not measured; set BENCH_DATABASE_URL to a server on which a database may be made.\n',
  );
} else {
  const name = `pda_bench_${randomBytes(4).toString('hex')}`;
  const database = openPostgres({ url: server, purpose: 'bulk' });
  await database.script(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  await measure('PostgreSQL', Number(options.items), { DATABASE_URL: url.href }, { rate: 10_000, memory: 300 });
  await database.script(`DROP DATABASE ${name} WITH (FORCE)`);
  await database.close();
}
keepFigures(options.json);
