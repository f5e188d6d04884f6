// Makes what runs: Prisma's client from the schema, the bundles of the server and the command line, and what the pages load.
// Does nothing when nothing has changed since the last time, so that `npm start` costs no time for it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(fileURLToPath(import.meta.url)));

const entries = {
  main: 'src/main.ts',
  pda: 'src/cli/pda.ts',
  'pull-feeds': 'src/pull-feeds.ts',
};

// What pages load besides the modules, stylesheets and pictures of `src/web`: files of packages, taken as they are. By the name
// that `assetUrl` takes.
const packaged = {
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
};

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);
const newestIn = (folder) =>
  Math.max(
    ...readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modified(join(entry.parentPath ?? entry.path, entry.name))),
  );

const schema = Math.max(...['prisma/schema.prisma', 'prisma/columns-generator.js', 'package-lock.json'].map(modified));
const generated = ['pothos.ts', 'columns.ts', 'prisma/client.ts'].map((file) => modified(`src/generated/${file}`));
if (Math.min(...generated) < schema) {
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
const sources = Math.max(newestIn('src'), ...['build.js', 'package-lock.json', 'tsconfig.json'].map(modified));
if (Math.min(...[...bundles, 'dist/web/assets.json'].map(modified)) < sources) {
  const { build } = await import('esbuild');
  rmSync('dist', { recursive: true, force: true }); // Chunks are named by their content: old ones would pile up.
  await build({
    entryPoints: entries,
    outdir: 'dist',
    bundle: true,
    splitting: true,
    // What is bundled need not be looked for in hundreds of files at each start. Left outside: what finds files of its own
    // beside itself (worker threads), and what is loaded only where it is configured.
    external: ['@prisma/*', 'ioredis', 'pg', 'pg-native', 'pino', 'pino-pretty'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    mainFields: ['module', 'main'],
    conditions: ['module', 'import'],
    legalComments: 'none',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  });
  await buildAssets(build);
}

/** Names each asset by its content, and writes down which is which. */
async function buildAssets(build) {
  const filesIn = (folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'tsconfig.json')
      .map((entry) => join(folder, entry.name));
  const made = {
    outdir: 'dist/web',
    entryNames: '[name]-[hash]',
    metafile: true,
    minify: true,
    legalComments: 'none',
    platform: 'browser',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    format: 'esm',
    logLevel: 'warning',
  };
  const own = await build({
    ...made,
    entryPoints: [...filesIn('src/web/client'), ...filesIn('src/web/styles')],
    bundle: true,
    splitting: true,
    tsconfig: 'src/web/client/tsconfig.json',
  });
  const files = { ...packaged, ...(await unpackGraphiql()) };
  const copied = await build({
    ...made,
    entryPoints: [
      ...filesIn('src/web/images').map((file) => ({ in: file, out: basename(file, extname(file)) })),
      ...Object.entries(files).map(([name, file]) => ({ in: file, out: basename(name, extname(name)) })),
    ],
    loader: { '.svg': 'copy', '.png': 'copy', '.js': 'copy', '.css': 'copy' },
  });
  const nameOf = (file) => basename(file).replace(/-[A-Z0-9]{8}(?=\.\w+$)/, '');
  const assets = [
    // The others are pieces that several modules share: the modules know their names.
    ...Object.keys(own.metafile.outputs).filter((file) => own.metafile.outputs[file].entryPoint !== undefined),
    ...Object.keys(copied.metafile.outputs),
  ];
  const names = Object.fromEntries(assets.map((file) => [nameOf(file), basename(file)]));
  writeFileSync('dist/web/assets.json', JSON.stringify(names, null, 2));
}

/** GraphiQL comes as texts in a module: each becomes a file, so that browsers keep it and the page has no inline script. */
async function unpackGraphiql() {
  const { js, css, editorWorkerService, graphqlWorker, jsonWorker } = await import(
    '@graphql-yoga/render-graphiql/graphiql'
  );
  const texts = {
    'graphiql-app.js': js,
    'graphiql-app.css': css,
    'graphiql-editor-worker.js': editorWorkerService,
    'graphiql-graphql-worker.js': graphqlWorker,
    'graphiql-json-worker.js': jsonWorker,
  };
  mkdirSync('dist/graphiql', { recursive: true });
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const file = join('dist', 'graphiql', name);
      writeFileSync(file, text);
      return [name, file];
    }),
  );
}
