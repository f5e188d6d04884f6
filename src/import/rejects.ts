/** Counts rejected rows by reason and writes them to the rejects file, one JSON object per line. */
import { createWriteStream, rmSync, statSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { printableJson } from '../values/printable.ts';
import type { Rejection, RejectReason } from './reject.ts';

export interface Rejects {
  add(rejection: Rejection): void;
  /** Counts rows that the list has no room for. */
  addUnlisted(reason: RejectReason, rows: number): void;
  readonly count: number;
  /** How many more rows the list takes. */
  readonly room: number;
  /** Rows that were counted but not written because the list was full. */
  readonly notWritten: number;
  readonly reasons: Partial<Record<RejectReason, number>>;
  /**
   * Writes the rest of the list. After an import without rejected rows, removes the file of an earlier import.
   *
   * @param isImported whether the feed was imported: an error about the file then says so first.
   * @throws when the file could not be written.
   */
  close(isImported: boolean): Promise<void>;
}

/**
 * Opens the list. The first rejection creates the file, so a clean feed leaves none.
 *
 * @param most how many rows are written; further ones are only counted.
 */
export function openRejects(file: string | undefined, most: number): Rejects {
  const reasons: Partial<Record<RejectReason, number>> = {};
  let stream: WriteStream | undefined;
  let failure: Error | undefined;
  let count = 0;
  let notWritten = 0;
  const countRows = (reason: RejectReason, rows: number) => {
    count += rows;
    reasons[reason] = (reasons[reason] ?? 0) + rows;
  };

  const addUnlisted = (reason: RejectReason, rows: number) => {
    countRows(reason, rows);
    notWritten += rows;
  };

  return {
    add(rejection) {
      if (count - notWritten >= most) return addUnlisted(rejection.reason, 1);
      countRows(rejection.reason, 1);
      if (file === undefined) return;
      if (!stream) {
        stream = createWriteStream(file);
        stream.on('error', (error) => {
          failure = error;
        });
      }
      const { line, id, reason, detail } = rejection;
      stream.write(`${printableJson({ line, id, reason, detail })}\n`);
    },
    addUnlisted,
    get count() {
      return count;
    },
    get room() {
      return most - (count - notWritten);
    },
    get notWritten() {
      return notWritten;
    },
    reasons,
    async close(isImported) {
      if (stream && !failure) {
        stream.end();
        await finished(stream).catch((error: Error) => {
          failure ??= error;
        });
      }
      // Otherwise the list of an earlier import would pass for this one's.
      if (!stream && isImported && file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile())
        rmSync(file);
      if (!failure) return;
      const subject = isImported ? 'The feed was imported, but the' : 'The';
      throw new Error(`${subject} rejects file ${file} could not be written: ${failure.message}.`);
    },
  };
}
