import { BrokenFeed } from './reject.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder. Check the path.',
  ENOTDIR: 'the path has a file where a folder is expected. Check the path.',
  EISDIR: 'it is a folder. Give the path of a file.',
  EACCES: 'permission denied. Allow this user to read it.',
  EPERM: 'permission denied. Allow this user to read it.',
};

/**
 * The error for a file or folder that an import cannot read.
 *
 * @param cause the error of the system, which has a code such as `ENOENT`.
 */
export function unreadable(path: string, cause: unknown): BrokenFeed {
  const { code = '', message = String(cause) } = cause as { code?: string; message?: string };
  return new BrokenFeed(`${path} cannot be read: ${REASONS[code] ?? message}`, { cause });
}
