/** What an import tells about its rows while it runs. Imports without an observer do none of the work for it. */
import type { Rejection, RejectReason } from './reject.ts';

export interface ImportObserver {
  /** Rows were accepted that state the same values. @param coverage the values, as a number for `openCoverage`; negative `rows` were rejected after all. */
  onAccepted(coverage: number, rows: number): void;
  /** A row was rejected; also those for which the rejects file has no room. */
  onRejected(rejection: Rejection): void;
  /** Rows were rejected of which only the number is known. */
  onRejectedUnlisted(reason: RejectReason, rows: number): void;
}
