/** The result of a check: one line, and for warnings and problems a sentence that says how to fix it. */

export interface Finding {
  /** The subject of the check. */
  name: string;
  status: 'ok' | 'warning' | 'problem';
  says: string;
  remedy?: string;
}

export const ok = (name: string, says: string): Finding => ({ name, status: 'ok', says });
export const warning = withRemedy('warning');
export const problem = withRemedy('problem');

function withRemedy(status: Finding['status']) {
  return (name: string, says: string, remedy: string): Finding => ({ name, status, says, remedy });
}

/** The reason of any error, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node's error has no message when a name has several addresses and none of them answers.
  const { code } = error as { code?: string };
  return (error.message || code || error.name).replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}
