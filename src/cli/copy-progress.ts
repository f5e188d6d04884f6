/** Shows how far a copy of a database is, and what was copied: for `pda move`, `pda backup` and `pda restore`. */
import { type Header, type RowCounts, readHeader } from '../database/copy/dump.ts';
import { counted } from '../values/counted.ts';
import { openProgress } from './terminal.ts';

/** Passes the messages of a dump on, and shows which table they are of. */
export async function* withProgress(name: string, messages: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const progress = openProgress(name);
  let tables: Header['tables'] | undefined;
  let [place, here] = [0, 0];
  const sizeOf = (some: Header['tables'] = []) => some.reduce((sum, { bytes }) => sum + bytes, 0);
  try {
    for await (const message of messages) {
      yield message;
      here += message.length;
      const table = tables?.[place];
      if (!tables) tables = readHeader(message).tables;
      else if (message.length === 0) [place, here] = [place + 1, 0];
      else if (table) {
        // Rows are longer or shorter as text than on disk.
        const share = (sizeOf(tables.slice(0, place)) + Math.min(here, table.bytes)) / sizeOf(tables);
        progress.update(share, `${table.name}, table ${place + 1} of ${tables.length}`);
      }
    }
  } finally {
    progress.end();
  }
}

/** What was copied: for JSON, and in words. */
export function summaryOf(tables: RowCounts): { report: { rows: number; tables: RowCounts }; says: string } {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
  return {
    report: { rows, tables },
    says: `${counted(rows, 'row')} of ${counted(Object.keys(tables).length, 'table')}`,
  };
}
