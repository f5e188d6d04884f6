/**
 * One process at a time holds the embedded data folder: a second one that opened it would destroy it.
 * The holder listens on a local socket (the "door"); a lock file names it. Whether the holder still lives is asked of the
 * kernel by connecting: a socket dies with its process, whatever killed it, and a reused process id cannot deceive.
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
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const Holder = z.object({ pid: z.number(), door: z.string() });
/** Who holds the folder: its process id and the path of its door. */
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

/** The system refuses what is needed to make the folder or to use it; the message says what to do. */
export class FolderUnusable extends Error {
  override name = 'FolderUnusable';

  constructor(folder: string, cause: Error) {
    super(
      `The data folder ${folder} cannot be used (${cause.message}). Set DATA_DIR to a folder that this user may write.`,
      { cause },
    );
  }
}

export interface FolderLock {
  /** The door's server: whoever asks for the data comes in here. */
  readonly door: Server;
  release(): void;
}

/**
 * Takes the folder for this process, making it if need be.
 *
 * @param onVisitor called for each connection at the door.
 * @param onShared told in a sentence when other users may change the folder and this process cannot end that.
 * @throws {FolderInUse} when another process holds it.
 */
export async function lockFolder(
  folder: string,
  onVisitor: (visitor: Socket) => void,
  onShared: (warning: string) => void = () => {},
): Promise<FolderLock> {
  makeFolder(folder);
  protectFolder(folder, onShared);
  const lockFile = join(folder, 'lock');
  // Asked first, since nothing can be written on a full disk: a command then still finds the server's door.
  const living = await lockOf(folder);
  if (living?.isAlive) throw new FolderInUse(folder, living.holder);
  const doorPath = chooseDoorPath(folder);
  const door = createServer(onVisitor);
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject);
    // The socket is made while `listen` runs, with the rights that the mask leaves: those of its owner, from its first moment.
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
    door,
    release() {
      rmSync(lockFile, { force: true });
      door.close();
    },
  };
}

/** Who holds the folder, or held it last and left its lock behind; nothing when nobody does. Takes and makes nothing. */
export async function lockOf(folder: string): Promise<{ holder: Holder; isAlive: boolean } | undefined> {
  const holder = readHolder(join(folder, 'lock'));
  return holder && { holder, isAlive: await answers(holder.door) };
}

/**
 * Makes the folder and those that it lies in. Node's own way of making them never ends where the system says that a folder is
 * missing whose parent is there, as it does in `/proc`.
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
 * Takes other users' rights to the data away. A folder that holds something else too, such as a shared one, keeps its own rights:
 * what is ours in it (the database, the lock, the door) can be used by this user alone. Only a user who may write to the folder can
 * still replace it.
 */
function protectFolder(folder: string, onShared: (warning: string) => void): void {
  if (process.platform === 'win32') return;
  for (const ours of [join(folder, 'pg'), ...(readdirSync(folder).every(isOurs) ? [folder] : [])]) closeToOthers(ours);
  const { mode } = statSync(folder);
  const isSticky = (mode & 0o1000) !== 0; // Others can neither rename nor delete what is ours.
  if ((mode & 0o022) === 0 || isSticky) return;
  onShared(
    `Other users may write to the data folder ${folder} (mode ${(mode & 0o777).toString(8)}), and could replace the database. ` +
      'Set DATA_DIR to a folder that belongs to this user and holds nothing else, or take the right to write from the others.',
  );
}

const isOurs = (name: string) => /^(pg|pg\.creating|lock(\..+)?|door-.+\.sock)$/.test(name);

function closeToOthers(path: string): void {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status || (status.mode & 0o077) === 0 || status.uid !== process.getuid?.()) return;
  chmodSync(path, status.mode & 0o7700);
}

/** `link` fails when the name is taken, in one step: of two starters exactly one gets it. */
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
    return undefined; // Gone meanwhile, or not written by us: either way nobody answers for it.
  }
}

/** Moves a dead holder's lock away; when another starter has just replaced it with a living one, puts that back. */
function removeDead(lockFile: string, dead: Holder | undefined): void {
  const aside = `${lockFile}.dead.${process.pid}`;
  try {
    renameSync(lockFile, aside);
  } catch {
    return; // Another starter was quicker; the next look decides.
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

// sockaddr_un holds about 104 bytes on the smallest systems; a longer path is cut off silently or refused.
const LONGEST_SOCKET_PATH = 100;

function chooseDoorPath(folder: string): string {
  const name = `door-${process.pid}-${randomBytes(4).toString('hex')}.sock`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\product-data-api-${name}`;
  const beside = join(folder, name);
  if (Buffer.byteLength(beside) <= LONGEST_SOCKET_PATH) return beside;
  return join(mkdtempSync(join(tmpdir(), 'pda-')), name);
}
