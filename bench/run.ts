/**
 * Compares the service with its peers in one run: `npm run bench`. With `--check`, compares it with the recorded commit, and exits
 * with status 1 if it is slower; `--record` records the present commit. The status is 2 if nothing could be measured.
 *
 * Needs a PostgreSQL server on which it may create databases: BENCH_DATABASE_URL, by default
 * `postgresql://postgres@127.0.0.1:5432/postgres`. The catalogue stays there for the next run.
 *
 * Options: `--products 200000`; `--quick` for a run of a few minutes; `--only start,lookups,changes,lists,overload,strangers,exports,webhooks,imports,waits,search-quality` for some parts;
 * `--only distribution` for plain PostgreSQL and a Citus cluster, whose coordinator BENCH_CLUSTER_URL names;
 * `--names 1000` and `--seed 1` for the names that `search-quality` alters;
 * `--fresh` to create the catalogue again; `--json FILE`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCatalogue } from './catalogue.ts';
import { measureChanges } from './changes.ts';
import { check } from './check/check.ts';
import { record } from './check/recorded.ts';
import { serverVersion } from './databases.ts';
import { measureDistribution } from './distribution.ts';
import { measureExports } from './exports.ts';
import { dropAbsoluteTargets, introduce, keepFigures } from './figures.ts';
import { measureEmbeddedWaits, measurePostgresWaits } from './import-waits.ts';
import { measureEmbeddedImports, measureEmbeddedLookups, measureImports } from './imports.ts';
import { measureLists } from './lists.ts';
import { generator } from './load.ts';
import { measureGrowth, measureLookups } from './lookups.ts';
import { NotMeasured } from './not-measured.ts';
import { type BenchOptions, isNamedPart, readOptions } from './options.ts';
import { measureOverload } from './overload.ts';
import { measureSearchQuality } from './search-quality/measure.ts';
import { peerVersions } from './servers.ts';
import { measureStart } from './start.ts';
import { measureStrangers } from './strangers.ts';
import { measureWebhooks } from './webhooks.ts';

const FEW_PRODUCTS = 10_000;
const server = process.env.BENCH_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';

try {
  const options = readOptions(process.argv.slice(2));
  if (options.mode === 'record') {
    process.stdout.write(`Recorded ${record(options.parts)} for ${options.parts.join(', ')}.\n`);
  } else await inFolder((folder) => (options.mode === 'check' ? checked(options, folder) : compare(options, folder)));
} catch (error) {
  if (!(error instanceof NotMeasured)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pda-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checked({ parts, products }: BenchOptions, folder: string): Promise<void> {
  if (!(await check(parts, { server, folder, products }))) process.exitCode = 1;
}

async function compare(options: BenchOptions, folder: string): Promise<void> {
  const { parts, products, isQuick, isFresh, json } = options;
  introduce({ PostgreSQL: await serverVersion(server), ...peerVersions(), 'driven by': generator });
  if (isQuick) dropAbsoluteTargets();
  if (parts.includes('distribution')) {
    await measureDistribution(server, process.env.BENCH_CLUSTER_URL, folder, { products, isQuick });
  }
  if (parts.some((part) => part !== 'search-quality' && !isNamedPart(part))) await compareOnFiveShops(options, folder);
  if (parts.includes('search-quality')) {
    // The number of shops changes no result, since it is the same for all products.
    const catalogue = await openCatalogue(server, products, isFresh, 1);
    await measureSearchQuality(catalogue, options);
    await catalogue.database.close();
  }
  keepFigures(json);
}

async function compareOnFiveShops(options: BenchOptions, folder: string): Promise<void> {
  const { parts, products, isQuick, isFresh } = options;
  const catalogue = await openCatalogue(server, products, isFresh);
  try {
    if (parts.includes('start')) await measureStart(catalogue, isQuick ? 3 : 7);
    if (parts.includes('lookups')) {
      const effort = isQuick
        ? { connections: [64], rounds: 3, seconds: 3 }
        : { connections: [1, 64, 256], rounds: 5, seconds: 4 };
      await measureLookups(catalogue, folder, effort);
      await measureEmbeddedLookups(server);
      if (products > FEW_PRODUCTS) {
        const small = await openCatalogue(server, FEW_PRODUCTS, isFresh);
        await measureGrowth(catalogue, small, folder, effort);
        await small.database.close();
      }
    }
    if (parts.includes('changes')) await measureChanges(catalogue, folder, { rounds: isQuick ? 3 : 7, seconds: 5 });
    if (parts.includes('lists')) await measureLists(catalogue, isQuick);
    if (parts.includes('overload')) await measureOverload(catalogue);
    if (parts.includes('strangers')) await measureStrangers(catalogue, isQuick);
    if (parts.includes('exports')) await measureExports(catalogue);
    if (parts.includes('webhooks')) await measureWebhooks(catalogue, folder);
    if (parts.includes('imports')) {
      await measureImports(server, isQuick ? 100_000 : products);
      await measureEmbeddedImports(server, 20_000);
    }
    if (parts.includes('waits')) {
      await measureEmbeddedWaits(20_000);
      await measurePostgresWaits(server, isQuick ? 20_000 : 100_000);
    }
  } finally {
    await catalogue.database.close();
  }
}
