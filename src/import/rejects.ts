/** Counts rejected rows by reason and writes them to the rejects file, one JSON object per line. */
import { createWriteStream, rmSync, statSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { printableJson } from '../values/printable.ts';
import type { ImportObserver } from './import-observer.ts';
import type { Rejection, RejectReason } from './reject.ts';

export type Rejects = ReturnType<typeof openRejects>;

/** Opens the list. The first rejection creates the file, so a clean feed leaves none. @param most how many rows are written. */
export function openRejects(file: string | undefined, most: number, observer?: ImportObserver) {
  const reasons: Partial<Record<RejectReason, number>> = {};
  let stream: WriteStream | undefined;
  let failure: Error | undefined;
  let count = 0;
  let notWritten = 0;
  const countRows = (reason: RejectReason, rows: number, isWritten: boolean) => {
    count += rows;
    reasons[reason] = (reasons[reason] ?? 0) + rows;
    if (!isWritten) notWritten += rows;
  };

  return {
    add(rejection: Rejection): void {
      const hasRoom = count - notWritten < most;
      countRows(rejection.reason, 1, hasRoom);
      observer?.onRejected(rejection);
      if (file === undefined || !hasRoom) return;
      if (!stream) {
        stream = createWriteStream(file);
        stream.on('error', (error) => {
          failure = error;
        });
      }
      const { line, id, reason, detail } = rejection;
      stream.write(`${printableJson({ line, id, reason, detail })}\n`);
    },
    /** Counts rows that the list has no room for. */
    addUnlisted(reason: RejectReason, rows: number): void {
      countRows(reason, rows, false);
      observer?.onRejectedUnlisted(reason, rows);
    },
    get count() {
      return count;
    },
    /** How many more rows the list takes. */
    get room() {
      return most - (count - notWritten);
    },
    /** Rows that were counted but not written because the list was full. */
    get notWritten() {
      return notWritten;
    },
    reasons,
    /** Writes the rest of the list, or removes that of an earlier import. @throws with a message that first says if the feed was imported. */
    async close(isImported: boolean): Promise<void> {
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
