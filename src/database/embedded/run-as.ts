/** Runs PostgreSQL's programs as an ordinary user, since they refuse to run as root. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedUnusable } from '../database.ts';

/** How to run a program. */
export interface RunAs {
  /** Words before the program's own. */
  prefix: readonly string[];
  /** The user that the program runs as, and that owns the files; this process's own if absent. */
  user?: { uid: number; gid: number };
}

// In a user namespace of one user, root's files belong to that user, and it is not root (user_namespaces(7)).
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];
const NOBODY = { uid: 65_534, gid: 65_534 };

/**
 * Chooses the user. Root runs the programs in a user namespace or, where none are allowed, as the owner of the data folder or as nobody.
 * @param folder of the cluster, which need not exist yet. Its owner stays the same.
 * @param env what the program needs in its environment.
 * @throws {EmbeddedUnusable} if root can do neither.
 */
export function chooseUser(folder: string, program: string, env: Record<string, string>): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = ownerOf(folder);
  const [unshare = '', ...words] = NAMESPACE;
  const isRoots = owner === undefined || owner.uid === 0;
  if (isRoots && spawnSync(unshare, [...words, program, '--version'], { env }).status === 0)
    return { prefix: NAMESPACE };
  const parent = ownerOf(dirname(folder));
  const user = isRoots ? (parent && parent.uid !== 0 ? parent : NOBODY) : owner;
  const canRun = spawnSync(program, ['--version'], { ...user, env }).status === 0;
  if (owner?.uid !== 0 && canRun && mayEnter(dirname(folder), user)) return { prefix: [], user };
  throw new EmbeddedUnusable(
    'The embedded database refuses to run as root, and this system allows neither a user namespace nor another user to reach ' +
      `${canRun ? dirname(folder) : program}. Run this as an ordinary user, or set DATABASE_URL to a PostgreSQL server.`,
  );
}

/** Whether a user may enter a folder and all around it. */
function mayEnter(folder: string, { uid, gid }: { uid: number; gid: number }): boolean {
  const { mode, ...of } = statSync(folder);
  const bit = of.uid === uid ? 0o100 : of.gid === gid ? 0o010 : 0o001;
  return (mode & bit) !== 0 && (dirname(folder) === folder || mayEnter(dirname(folder), { uid, gid }));
}

function ownerOf(path: string): { uid: number; gid: number } | undefined {
  if (!existsSync(path)) return undefined;
  const { uid, gid } = statSync(path);
  return { uid, gid };
}
