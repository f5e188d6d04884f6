// Makes what runs: Prisma's client from the schema, and the bundles of the server and the command line.
// Does nothing when nothing has changed since the last time, so that `npm start` costs no time for it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(fileURLToPath(import.meta.url)));

const entries = { main: 'src/main.ts', pda: 'src/cli/pda.ts' };

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const newestIn = (folder) =>
  Math.max(
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modified(join(entry.parentPath ?? entry.path, entry.name))),
  );

const schema = Math.max(modified('prisma/schema.prisma'), modified('package-lock.json'));
if (modified('src/generated/pothos.ts') < schema || !existsSync('src/generated/prisma/client.ts')) {
  const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build/index.js');
  // Prisma starts its generators by name: npm's scripts have their folder in PATH, a bare `node build.js` has not.
  const PATH = [join(process.cwd(), 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, 'generate'], {
    encoding: 'utf8',
    env: { ...process.env, PATH },
  });
  if (status !== 0) {
    process.stderr.write(`prisma generate failed:\n${stdout}${stderr}`);
    process.exit(1);
  }
}

const bundles = Object.keys(entries).map((name) => `dist/${name}.js`);
if (Math.min(...bundles.map(modified)) < Math.max(newestIn('src'), modified('build.js'))) {
  const { build } = await import('esbuild');
  rmSync('dist', { recursive: true, force: true }); // Chunks are named by their content: old ones would pile up.
  await build({
    entryPoints: entries,
    outdir: 'dist',
    bundle: true,
    splitting: true,
    // What is bundled need not be looked for in hundreds of files at each start. Left outside: what finds files of its own
    // beside itself (WebAssembly, worker threads), what is loaded only where it is configured, and GraphiQL's megabytes.
    external: [
      '@electric-sql/pglite',
      '@graphql-yoga/render-graphiql',
      '@prisma/*',
      'ioredis',
      'pg',
      'pg-native',
      'pglite-prisma-adapter',
      'pino',
      'pino-pretty',
    ],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    mainFields: ['module', 'main'],
    conditions: ['module', 'import'],
    legalComments: 'none',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  });
}
