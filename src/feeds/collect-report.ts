/** Collects the figures of a run while its feed is imported. What it keeps is bounded, however many rows a feed has. */
import { openCoverage } from '../import/coverage.ts';
import type { ImportObserver } from '../import/import-observer.ts';
import type { Rejection, RejectReason } from '../import/reject.ts';
import { excerpt } from '../values/printable.ts';
import { MOST_EXAMPLES, type RejectedExample, type RunReport } from './run-report.ts';

export type ReportCollector = ReturnType<typeof openReportCollector>;

// The longest sentence of the importer has 220 characters with the values in it.
const LONGEST_DETAIL = 240;
const LONGEST_ID = 128;

interface Rejected {
  rows: number;
  examples: RejectedExample[];
}

/** Opens the collector for one import. */
export function openReportCollector() {
  const coverage = openCoverage();
  const reasons = new Map<RejectReason, Rejected>();
  const of = (reason: RejectReason): Rejected => {
    const known = reasons.get(reason);
    if (known) return known;
    const fresh: Rejected = { rows: 0, examples: [] };
    reasons.set(reason, fresh);
    return fresh;
  };

  const observer: ImportObserver = {
    onAccepted: coverage.add,
    onRejected(rejection) {
      const rejected = of(rejection.reason);
      rejected.rows += 1;
      if (rejected.examples.length < MOST_EXAMPLES) rejected.examples.push(exampleOf(rejection));
    },
    onRestart() {
      coverage.clear();
      reasons.clear();
    },
    onRejectedUnlisted(reason, rows) {
      of(reason).rows += rows;
    },
  };

  return {
    /** For the import's request. */
    observer,
    /** The figures so far: those of the whole feed once it is imported, else of the rows before the error. */
    report(): RunReport {
      const byRows = [...reasons].sort(([, one], [, other]) => other.rows - one.rows);
      const rejected = byRows.reduce((sum, [, { rows }]) => sum + rows, 0);
      const accepted = coverage.total();
      return {
        read: accepted + rejected,
        accepted,
        rejected,
        reasons: byRows.map(([reason, { rows, examples }]) => ({ reason, rows, examples: [...examples] })),
        coverage: coverage.counts(),
      };
    },
  };
}

/** The example without control characters, and without a surrogate whose other half was cut off: no database takes these as JSON. */
function exampleOf({ line, id, detail }: Rejection): RejectedExample {
  const example = { line, detail: excerpt(detail, LONGEST_DETAIL).toWellFormed() };
  return id === undefined ? example : { ...example, id: excerpt(id, LONGEST_ID).toWellFormed() };
}
