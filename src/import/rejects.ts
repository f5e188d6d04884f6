/** The rows that are refused: counted by reason, and written to the rejects file, one JSON object a line. */
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Rejection, RejectReason } from './reject.ts';

export interface Rejects {
  add(rejection: Rejection): void;
  readonly count: number;
  readonly reasons: Partial<Record<RejectReason, number>>;
  /**
   * Writes what is left of the list.
   *
   * @param isImported whether the feed has gone in: that goes before the complaint.
   * @throws when the file could not be written.
   */
  close(isImported: boolean): Promise<void>;
}

/** Opens the list. The file is made with the first rejection, so that a clean feed leaves none. */
export function openRejects(file: string | undefined): Rejects {
  const reasons: Partial<Record<RejectReason, number>> = {};
  let stream: WriteStream | undefined;
  let failure: Error | undefined;
  let count = 0;

  return {
    add(rejection) {
      count += 1;
      reasons[rejection.reason] = (reasons[rejection.reason] ?? 0) + 1;
      if (file === undefined) return;
      if (!stream) {
        stream = createWriteStream(file);
        stream.on('error', (error) => {
          failure = error;
        });
      }
      const { line, id, reason, detail } = rejection;
      stream.write(`${JSON.stringify({ line, id, reason, detail })}\n`);
    },
    get count() {
      return count;
    },
    reasons,
    async close(isImported) {
      if (stream && !failure) {
        stream.end();
        await finished(stream).catch((error: Error) => {
          failure ??= error;
        });
      }
      if (!failure) return;
      const subject = isImported ? 'The feed was imported, but the' : 'The';
      throw new Error(`${subject} rejects file ${file} could not be written: ${failure.message}.`);
    },
  };
}
