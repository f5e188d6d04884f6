/**
 * What pages load: stylesheets, scripts and pictures, made by `build.js` into `dist/web` under names that hold a hash of their
 * content. So a browser may keep each for ever, and a new release never meets an old file.
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

interface Assets {
  /** The files' names by those that the sources know them by. */
  names: Readonly<Record<string, string>>;
  /** All files that may be asked for. */
  files: ReadonlySet<string>;
}

interface KeptFile {
  bytes: Buffer;
  compressed: NonNullable<Answer['compressed']>;
}

let found: Assets | undefined;

const folder = () => join(packageRoot(), 'dist', 'web');

function assets(): Assets {
  if (found) return found;
  try {
    const names = JSON.parse(readFileSync(join(folder(), 'assets.json'), 'utf8'));
    found = { names, files: new Set(readdirSync(folder()).filter((file) => extname(file) in MEDIA_TYPES)) };
    return found;
  } catch (cause) {
    throw new Error('The assets of the pages are not built: run `node build.js`.', { cause });
  }
}

/**
 * The address of an asset, such as `/assets/page-QX3V7K2A.css`.
 *
 * @param name its source's name with the ending that a browser sees, such as `page.css` or `lookup.js`.
 * @throws when there is no such asset.
 */
export function assetUrl(name: string): string {
  const file = assets().names[name];
  if (file === undefined) throw new Error(`There is no asset ${name}: see build.js for where assets come from.`);
  return PATH + file;
}

/** Whether there is a file of this name below `/assets/`. */
export const isAsset = (file: string | undefined): boolean => assets().files.has(file ?? '');

/** Answers what is below `/assets/`. */
export function serveAssets(): Handler {
  const kept = new Map<string, Promise<KeptFile>>();

  return (_exchange, { file = '' }) => remembered(kept, file, () => keep(file)).then((read) => answerFile(file, read));
}

async function keep(file: string): Promise<KeptFile> {
  return { bytes: await readFile(join(folder(), file)), compressed: new Map() };
}

function answerFile(file: string, { bytes, compressed }: KeptFile): Answer {
  return {
    status: 200,
    headers: {
      'Content-Type': MEDIA_TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Length': String(bytes.length),
      'Cache-Control': 'public, max-age=31536000, immutable',
      // GraphiQL's workers go by the policy that they come with.
      'Content-Security-Policy': "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    },
    body: bytes,
    compressed,
  };
}
