/** What an examination says: one line, and where something is wrong, one sentence that mends it. */

export interface Finding {
  /** What was looked at. */
  name: string;
  status: 'ok' | 'warning' | 'problem';
  says: string;
  remedy?: string;
}

export const ok = (name: string, says: string): Finding => ({ name, status: 'ok', says });
export const warning = (name: string, says: string, remedy: string): Finding => ({
  name,
  status: 'warning',
  says,
  remedy,
});
export const problem = (name: string, says: string, remedy: string): Finding => ({
  name,
  status: 'problem',
  says,
  remedy,
});

/** Whatever an error is, in one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node tells of a name with several addresses, none of which answers, without a message.
  const { code } = error as { code?: string };
  return (error.message || code || error.name).replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}
