/** Why a data folder cannot be used, when the file system refuses it. */
import { EmbeddedUnusable } from '../database.ts';

/** A refusal of the file system that concerns the folder, something in it, or one of its parents; other errors as they are. */
export function explainRefusal(folder: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '', path } = error as NodeJS.ErrnoException;
  const isRefusal = /^(EACCES|EEXIST|ELOOP|ENAMETOOLONG|ENOENT|ENOTDIR|EPERM|EROFS)$/.test(code);
  if (!isRefusal || path === undefined || !(path.startsWith(folder) || folder.startsWith(path))) return error;
  const remedy = 'Run this as the user that owns it, or set DATA_DIR to a folder that this user can write to.';
  return new EmbeddedUnusable(`The data folder ${folder} cannot be used (${error.message}). ${remedy}`, {
    cause: error,
  });
}
