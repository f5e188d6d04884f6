/** The rows that are refused: counted by reason, and written to the rejects file, one JSON object a line. */
import { createWriteStream, rmSync, statSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { printableJson } from '../values/printable.ts';
import type { Rejection, RejectReason } from './reject.ts';

export interface Rejects {
  add(rejection: Rejection): void;
  /** Counts rows that are not in the list because it is full. */
  addUnlisted(reason: RejectReason, rows: number): void;
  readonly count: number;
  /** How many more rows the list takes. */
  readonly room: number;
  /** Rows that were counted and not written, because the list was full. */
  readonly notWritten: number;
  readonly reasons: Partial<Record<RejectReason, number>>;
  /**
   * Writes what is left of the list; after an import without one, removes the file of an earlier import.
   *
   * @param isImported whether the feed has gone in: that goes before the complaint.
   * @throws when the file could not be written.
   */
  close(isImported: boolean): Promise<void>;
}

/**
 * Opens the list. The file is made with the first rejection, so that a clean feed leaves none.
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
      // The list of an earlier import must not be taken for this one's.
      if (!stream && isImported && file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile())
        rmSync(file);
      if (!failure) return;
      const subject = isImported ? 'The feed was imported, but the' : 'The';
      throw new Error(`${subject} rejects file ${file} could not be written: ${failure.message}.`);
    },
  };
}
