/** Checks the machine: Node, memory and disks. */
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Config } from '../../config.ts';
import { packageRoot } from '../../package-root.ts';
import { counted } from '../../values/counted.ts';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const Manifest = z.object({ engines: z.object({ node: z.string() }) });

/** Checks that Node is new enough. @param version in the form of `process.versions.node`. */
export function examineNode(version = process.versions.node): Finding {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')));
  const needed = manifest.engines.node.replace(/^>=/, '');
  if (version.localeCompare(needed, 'en', { numeric: true }) >= 0) return ok('node', version);
  return problem('node', `${version} is older than ${needed}`, `Install Node ${needed} or newer.`);
}

const MIB = 1024 * 1024;
// Measured memory of a process under load. The embedded database has its shared memory and a process for each connection.
const SERVER_MIB = 300;
const EMBEDDED_MIB = 400;
const PRIMARY_PROCESS_MIB = 100;

/** Checks that the machine has enough memory for the service as configured. */
export function examineMemory({ answerCacheMegabytes, databaseUrl, workers }: Config, total = memoryLimit()): Finding {
  const processes = workers.count * SERVER_MIB + (workers.count > 1 ? PRIMARY_PROCESS_MIB : 0);
  const needed = processes + answerCacheMegabytes + (databaseUrl === undefined ? EMBEDDED_MIB : 0);
  const says = `${Math.round(total / MIB)} MiB in total, about ${needed} MiB needed`;
  if (total / MIB >= needed) return ok('memory', says);
  const remedy = `Give the process more memory, or lower ${workers.count > 1 ? 'WORKERS or ' : ''}ANSWER_CACHE_MB.`;
  return warning('memory', says, remedy);
}

/** Checks that each worker has a core. */
export function examineWorkers({ workers: { count } }: Config, cores = availableParallelism()): Finding {
  const says = `${count === 1 ? 'one process' : `${count} workers`}, ${counted(cores, 'core')}`;
  if (count <= cores || count === 1) return ok('workers', says);
  return warning('workers', says, 'Set WORKERS to auto, or to at most the number of cores.');
}

/** The container's limit, or the machine's memory without one. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

const LOW_MIB = 1024;
const EMPTY_MIB = 100;

/** Checks the free space on a folder's disk. */
export async function examineDisk(name: string, folder: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(folder);
    const free = Math.floor((bavail * bsize) / MIB);
    const says = `${free} MiB free on the disk of ${folder}`;
    if (free < EMPTY_MIB) return problem(name, says, 'Free some space: on a full disk, writes fail or are lost.');
    if (free < LOW_MIB) return warning(name, says, 'Free some space soon, or move to a larger disk.');
    return ok(name, says);
  } catch (error) {
    return problem(name, reasonOf(error), 'Create the folder, or run this in one that exists.');
  }
}
