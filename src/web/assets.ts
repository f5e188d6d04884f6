/**
 * The stylesheets, scripts and images of pages, which `build.js` writes to `dist/web`. Their names contain a hash of their content, so
 * browsers may cache them forever, and a new release never gets an old file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Answer, Handler } from '../http/exchange.ts';
import { packageRoot } from '../package-root.ts';
import { remembered } from '../remember.ts';

const PATH = '/assets/';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

interface KeptFile {
  bytes: Buffer;
  dressed: NonNullable<Answer['dressed']>;
}

// The hashed names by the source names, and all files that are served.
let found: { names: Readonly<Record<string, string>>; files: ReadonlySet<string> } | undefined;

const folder = () => join(packageRoot(), 'dist', 'web');

function assets() {
  if (found) return found;
  try {
    const names = JSON.parse(readFileSync(join(folder(), 'assets.json'), 'utf8'));
    found = { names, files: new Set(readdirSync(folder()).filter((file) => extname(file) in MEDIA_TYPES)) };
    return found;
  } catch (cause) {
    throw new Error('The assets of the pages are missing: run `node build.js`.', { cause });
  }
}

/** The path of an asset, such as `/assets/page-QX3V7K2A.css`, by its source's name, such as `page.css`. @throws if it does not exist. */
export function assetUrl(name: string): string {
  const file = assets().names[name];
  if (file === undefined) throw new Error(`The asset ${name} does not exist: add it in build.js.`);
  return PATH + file;
}

/** Whether a file of this name is served under `/assets/`. */
export const isAsset = (file: string | undefined): boolean => assets().files.has(file ?? '');

/** Serves the files under `/assets/`. */
export function serveAssets(): Handler {
  const kept = new Map<string, Promise<KeptFile>>();

  return async (_exchange, { file = '' }) => {
    const read = async () => ({ bytes: await readFile(join(folder(), file)), dressed: {} });
    return answerFile(file, await remembered(kept, file, read));
  };
}

function answerFile(file: string, { bytes, dressed }: KeptFile): Answer {
  return {
    status: 200,
    headers: {
      'Content-Type': MEDIA_TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Length': String(bytes.length),
      'Cache-Control': 'public, max-age=31536000, immutable',
      // GraphiQL's workers use the policy of their own response.
      'Content-Security-Policy': "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    },
    body: bytes,
    dressed,
  };
}
