/** Writes an export as lines of JSON, and charges them before they are sent: one request for each 100 lines begun. */
import type { Access } from '../../access/access.ts';
import type { ExportPage } from '../../catalogue/exports/export.ts';

/** The lines that one request pays for. */
export const LINES_PER_REQUEST = 100;

// Lines that are rendered at once: less than half a millisecond, so that other requests of this process do not wait for longer.
const SLICE = 20;

/** The last line of an export. */
export type LastLine =
  | { end: true; count: number; cursor: string }
  | { end: false; code: 'quota_exhausted'; count: number; cursor: string; after?: string };

/** What was sent so far. */
export interface Sent {
  lines: number;
  /** The id of the last line that was sent, or that the client has from before. */
  after: string | undefined;
}

interface Writing {
  pages: AsyncIterable<ExportPage>;
  /** Has paid for the first {@link LINES_PER_REQUEST} lines. */
  access: Pick<Access, 'chargeUpTo' | 'isStillValid'>;
  /** Called between two slices of lines. */
  breathe(): Promise<void>;
  /** The cursor of the changes that follow. */
  cursor: string;
  /** Kept up to date. */
  sent: Sent;
}

/**
 * Yields the text of an export in chunks.
 * @throws if the database fails or the key is no longer valid. The reader then cuts the connection, so that the last line is missing.
 */
export async function* writeExport({
  pages,
  access,
  breathe,
  cursor,
  sent,
}: Writing): AsyncGenerator<string, void, undefined> {
  let charged = 1;
  for await (const page of pages) {
    if (!(await access.isStillValid())) throw new Error('The key of an export is no longer valid.');
    const needed = Math.ceil((sent.lines + page.length) / LINES_PER_REQUEST) - charged;
    if (needed > 0) charged += await access.chargeUpTo(needed);
    const paid = Math.min(page.length, charged * LINES_PER_REQUEST - sent.lines);
    for (let start = 0; start < paid; start += SLICE) {
      yield slice(page, start, Math.min(start + SLICE, paid), sent);
      await breathe();
    }
    if (paid < page.length) {
      const { lines: count, after } = sent;
      yield lastLine({ end: false, code: 'quota_exhausted', count, cursor, ...(after !== undefined && { after }) });
      return;
    }
  }
  yield lastLine({ end: true, count: sent.lines, cursor });
}

function slice(page: ExportPage, start: number, end: number, sent: Sent): string {
  let text = '';
  for (let index = start; index < end; index += 1) {
    const line = page.lineAt(index);
    text += `${JSON.stringify(line)}\n`;
    sent.after = line.id;
  }
  sent.lines += end - start;
  return text;
}

/** The text of the last line. */
export const lastLine = (line: LastLine): string => `${JSON.stringify(line)}\n`;
