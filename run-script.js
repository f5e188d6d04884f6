// Runs a TypeScript program of the project that is no part of the service: bundled as the service is, then run.
// `node run-script.js codegen.ts --check`
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import './build.js';

const [entry, ...words] = process.argv.slice(2);
const outfile = join('dist', 'scripts', basename(entry).replace(/\.ts$/, '.js'));
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  sourcemap: true,
  logLevel: 'warning',
});
const { status } = spawnSync(process.execPath, ['--enable-source-maps', outfile, ...words], { stdio: 'inherit' });
process.exit(status ?? 1);
