/** The address of the embedded server's socket, also where its path is longer than a socket's may be. */
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedUnusable } from '../database.ts';
import { type Cluster, ROLE } from './cluster.ts';

export interface Address {
  /** The URL of the database, with the password of its role. */
  url: string;
  /** Ends the use of the address. */
  close(): void;
}

const PORT = 5432;
// sockaddr_un holds 104 bytes on macOS and 108 on Linux, with a zero at the end.
const LONGEST_PATH = 103;

/** The address of a cluster for this process. @throws {EmbeddedUnusable} if the path is too long for this system, or the password is missing. */
export function addressOf({ home, folder: whole, socket, password }: Cluster): Address {
  const surplus = Buffer.byteLength(join(socket, `.s.PGSQL.${PORT}`)) - LONGEST_PATH;
  const secret = readSecret(password);
  if (secret === undefined) {
    throw new EmbeddedUnusable(`The file ${password} has no password: restore the folder ${whole} from a backup.`);
  }
  // The settings for libpq in this process's environment are not for this server.
  const at = (folder: string) =>
    `postgresql://${ROLE}:${secret}@${encodeURIComponent(folder)}:${PORT}/${ROLE}?sslmode=disable`;
  if (surplus <= 0) return { url: at(socket), close() {} };
  if (process.platform !== 'linux') {
    throw new EmbeddedUnusable(
      `The path of the data folder ${home} is ${surplus} bytes too long for a socket in it: set DATA_DIR to a shorter path.`,
    );
  }
  const folder = openSync(socket, 'r');
  return { url: at(`/proc/self/fd/${folder}`), close: () => closeSync(folder) };
}

/** The password in a file; `undefined` if there is none. Follows no link, since root may read it in a folder of another user. */
function readSecret(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    return /^[\w-]{32}$/.exec(readFileSync(file, 'utf8'))?.[0];
  } catch (error) {
    if (/^(ENOENT|ELOOP)$/.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
