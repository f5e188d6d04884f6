/**
 * Compares the service with its peers in one run: `npm run bench`.
 *
 * Needs a PostgreSQL server on which it may create databases: BENCH_DATABASE_URL, by default
 * `postgresql://postgres@127.0.0.1:5432/postgres`. The catalogue stays there for the next run.
 *
 * Options: `--products 200000`; `--quick` for a run of a few minutes; `--only start,lookups,lists,overload,imports` for some parts;
 * `--fresh` to create the catalogue again; `--json FILE`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCatalogue } from './catalogue.ts';
import { introduce, keepFigures } from './figures.ts';
import { measureEmbeddedImports, measureImports } from './imports.ts';
import { measureLists } from './lists.ts';
import { generator } from './load.ts';
import { measureGrowth, measureLookups } from './lookups.ts';
import { measureOverload } from './overload.ts';
import { peerVersions } from './servers.ts';
import { measureStart } from './start.ts';

const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '200000' },
    quick: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});
const server = process.env.BENCH_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const products = Number(options.products);
const { quick: isQuick } = options;
const isAsked = (part: string) => options.only === undefined || options.only.split(',').includes(part);

const FEW_PRODUCTS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'pda-bench-'));
const catalogue = await openCatalogue(server, products, options.fresh);
const [{ postgres }] = (await catalogue.database.query<{ postgres: string }>(
  "SELECT current_setting('server_version') AS postgres",
)) as [{ postgres: string }];
introduce({ PostgreSQL: postgres, ...peerVersions(), 'driven by': generator });
try {
  if (isAsked('start')) await measureStart(catalogue, isQuick ? 3 : 7);
  if (isAsked('lookups')) {
    const effort = isQuick
      ? { connections: [64], rounds: 3, seconds: 3 }
      : { connections: [1, 64, 256], rounds: 5, seconds: 4 };
    await measureLookups(catalogue, folder, effort);
    if (products > FEW_PRODUCTS) {
      const small = await openCatalogue(server, FEW_PRODUCTS, options.fresh);
      await measureGrowth(catalogue, small, folder, effort);
      await small.database.close();
    }
  }
  if (isAsked('lists')) await measureLists(catalogue, isQuick);
  if (isAsked('overload')) await measureOverload(catalogue);
  if (isAsked('imports')) {
    await measureImports(server, isQuick ? 100_000 : products);
    await measureEmbeddedImports(20_000);
  }
} finally {
  await catalogue.database.close();
  rmSync(folder, { recursive: true, force: true });
}
keepFigures(options.json);
