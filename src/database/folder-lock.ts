/**
 * The lock of the embedded data folder: only one process at a time may hold it, because a second one would corrupt the data.
 * The holder listens on a local socket (the "door"), which the lock file names. Connecting to it shows whether the holder is
 * alive: the kernel closes a socket with its process, however it ends, and a reused process id cannot mislead.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const Holder = z.object({ pid: z.number(), door: z.string() });
/** The process that holds the folder, by its id and the path of its door. */
export type Holder = z.infer<typeof Holder>;

/** Another living process holds the folder. */
export class FolderInUse extends Error {
  override name = 'FolderInUse';
  readonly holder: Holder;

  constructor(folder: string, holder: Holder) {
    super(`The data folder ${folder} is in use by process ${holder.pid}.`);
    this.holder = holder;
  }
}

/** This process cannot create or use the folder; the message says what to do. */
export class FolderUnusable extends Error {
  override name = 'FolderUnusable';

  constructor(folder: string, cause: Error) {
    const remedy = 'Set DATA_DIR to a folder that this user can write to.';
    super(`The data folder ${folder} cannot be used (${cause.message}). ${remedy}`, { cause });
  }
}

/**
 * Locks the folder for this process, and creates it if necessary.
 *
 * @param onVisitor called for each connection at the door.
 * @param onShared called with a sentence if other users can change the folder and this process cannot prevent it.
 * @throws {FolderInUse} when another process holds it.
 */
export async function lockFolder(
  folder: string,
  onVisitor: (visitor: Socket) => void,
  onShared: (warning: string) => void = () => {},
) {
  makeFolder(folder);
  protectFolder(folder, onShared);
  const lockFile = join(folder, 'lock');
  // Check before writing anything, so that a command finds the server's door even if the disk is full.
  const living = await lockOf(folder);
  if (living?.isAlive) throw new FolderInUse(folder, living.holder);
  const doorPath = chooseDoorPath(folder);
  const door = createServer(onVisitor);
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject);
    // The socket is created during `listen`, so with this mask only its owner can ever use it.
    const mask = process.umask(0o177);
    door.listen(doorPath, resolve);
    process.umask(mask);
  });
  door.unref();

  const ours = JSON.stringify({ pid: process.pid, door: doorPath } satisfies Holder);
  const draft = `${lockFile}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(draft, ours, { mode: 0o600 });
    while (!placed(draft, lockFile)) {
      const holder = readHolder(lockFile);
      if (holder && (await answers(holder.door))) throw new FolderInUse(folder, holder);
      removeDead(lockFile, holder);
    }
  } catch (error) {
    door.close();
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }

  return {
    /** The server of the door, through which other processes use the data. */
    door,
    release() {
      rmSync(lockFile, { force: true });
      door.close();
    },
  };
}

/** The process in the lock file, which may have died without removing it; `undefined` without a lock file. Changes nothing. */
export async function lockOf(folder: string): Promise<{ holder: Holder; isAlive: boolean } | undefined> {
  const holder = readHolder(join(folder, 'lock'));
  return holder && { holder, isAlive: await answers(holder.door) };
}

/**
 * Creates the folder and its parents. Node's recursive mkdir loops forever if the system reports a missing folder although its
 * parent exists, as in `/proc`.
 */
function makeFolder(folder: string): void {
  try {
    makeOneFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (!existsSync(dirname(folder))) makeFolder(dirname(folder));
    makeOneFolder(folder);
  }
}

function makeOneFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/**
 * Removes other users' permissions. A folder that also contains other files, such as a shared one, keeps its permissions, but only
 * this user can use our files in it (the database, the lock, the door). Users who can write to the folder could still replace them.
 */
function protectFolder(folder: string, onShared: (warning: string) => void): void {
  if (process.platform === 'win32') return;
  for (const ours of [join(folder, 'pg'), ...(readdirSync(folder).every(isOurs) ? [folder] : [])]) closeToOthers(ours);
  const { mode } = statSync(folder);
  const isSticky = (mode & 0o1000) !== 0; // Other users can neither rename nor delete our files.
  if ((mode & 0o022) === 0 || isSticky) return;
  onShared(
    `Other users may write to the data folder ${folder} (mode ${(mode & 0o777).toString(8)}) and could replace the database. ` +
      'Set DATA_DIR to a folder that belongs to this user and contains nothing else, or remove write permission for other users.',
  );
}

const isOurs = (name: string) => /^(pg|pg\.creating|lock(\..+)?|door-.+\.sock)$/.test(name);

function closeToOthers(path: string): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status || (status.mode & 0o077) === 0 || status.uid !== process.getuid?.()) return;
  chmodSync(path, status.mode & 0o7700);
}

/** Links the lock file atomically: of two starting processes, exactly one succeeds. */
function placed(draft: string, lockFile: string): boolean {
  try {
    linkSync(draft, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(lockFile: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(readFileSync(lockFile, 'utf8')));
  } catch {
    return undefined; // Removed meanwhile, or not written by this program: there is no holder to ask.
  }
}

/** Removes a dead holder's lock. If another starting process has just replaced it with its own, restores that one. */
function removeDead(lockFile: string, dead: Holder | undefined): void {
  const aside = `${lockFile}.dead.${process.pid}`;
  try {
    renameSync(lockFile, aside);
  } catch {
    return; // Another starting process was faster; the next attempt decides.
  }
  const moved = readHolder(aside);
  if (moved && moved.door !== dead?.door) placed(aside, lockFile);
  else if (dead) rmSync(dead.door, { force: true });
  unlinkSync(aside);
}

function answers(door: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(door);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

// sockaddr_un holds about 104 bytes on some systems; longer paths are silently truncated or refused.
const LONGEST_SOCKET_PATH = 100;

function chooseDoorPath(folder: string): string {
  const name = `door-${process.pid}-${randomBytes(4).toString('hex')}.sock`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\product-data-api-${name}`;
  const beside = join(folder, name);
  if (Buffer.byteLength(beside) <= LONGEST_SOCKET_PATH) return beside;
  return join(mkdtempSync(join(tmpdir(), 'pda-')), name);
}
