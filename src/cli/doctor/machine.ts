/** The machine: Node, memory, disks. */
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { packageRoot } from '../../package-root.ts';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const Manifest = z.object({ engines: z.object({ node: z.string() }) });

/** Whether this Node is new enough. @param version as `process.versions.node` has it. */
export function examineNode(version = process.versions.node): Finding {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')));
  const needed = manifest.engines.node.replace(/^>=/, '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return ok('node', version);
  return problem('node', `${version} is older than ${needed}`, `Install Node ${needed} or newer.`);
}

const MIB = 1024 * 1024;
// What a process was seen to take at rest and under load: the embedded database is WebAssembly with memory of its own.
const SERVER_MIB = 300;
const EMBEDDED_MIB = 400;

/** Whether the memory that this process may use is enough for the service as configured. */
export function examineMemory({ answerCacheMegabytes, databaseUrl }: Config, total = memoryLimit()): Finding {
  const needed = SERVER_MIB + answerCacheMegabytes + (databaseUrl === undefined ? EMBEDDED_MIB : 0);
  const says = `${Math.round(total / MIB)} MiB in all, about ${needed} MiB wanted`;
  if (total / MIB >= needed) return ok('memory', says);
  return warning('memory', says, 'Give the process more memory, or set ANSWER_CACHE_MB lower.');
}

/** A container's limit where there is one, else the machine's memory. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

const LOW_MIB = 1024;
const EMPTY_MIB = 100;

/** Whether a folder's disk has room. */
export async function examineDisk(name: string, folder: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(folder);
    const free = Math.floor((bavail * bsize) / MIB);
    const says = `${free} MiB free for ${folder}`;
    if (free < EMPTY_MIB) return problem(name, says, 'Free some space: what cannot be written is lost or refused.');
    if (free < LOW_MIB) return warning(name, says, 'Free some space soon, or move to a larger disk.');
    return ok(name, says);
  } catch (error) {
    return problem(name, reasonOf(error), 'Make the folder, or run this in one that is there.');
  }
}
