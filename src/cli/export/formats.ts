/** The formats of exported files. Each writes lines as they are read, so that its memory does not grow with the export. */
import type { ExportLine } from '../../catalogue/exports/export.ts';
import { toCsv } from '../../rest/csv.ts';
import { lastLine } from '../../rest/exports/write-export.ts';
import type { Cell } from '../../rest/table.ts';
import { type Column, columnsOfExport } from './columns.ts';
import type { Layout, LineWriter } from './layout.ts';
import type { Output } from './output.ts';

export const FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type Format = (typeof FORMATS)[number];

export async function openFormat(format: Format, layout: Layout, output: Output): Promise<LineWriter> {
  if (format === 'ndjson') return jsonLines(layout, output);
  if (format === 'csv') return csvLines(layout, output);
  // Most commands never need the library.
  const { parquetRows } = await import('./parquet.ts');
  return parquetRows(layout, output);
}

/** The same lines as over REST, with the same last line. */
function jsonLines({ cursor }: Layout, output: Output): LineWriter {
  return {
    write: (lines) => output.write(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    end: (count) => output.write(lastLine({ end: true, count, cursor })),
  };
}

function csvLines({ kind }: Layout, output: Output): LineWriter {
  const columns = columnsOfExport(kind);
  const names = columns.map(({ name }) => name);
  let hasHeader = true;
  const write = async (lines: readonly ExportLine[]) => {
    const text = toCsv(
      names,
      lines.map((line) => columns.map((column) => cellOf(column, line))),
      { hasHeader },
    );
    hasHeader = false;
    await output.write(text);
  };
  return {
    write,
    // An export without lines has its header.
    end: async () => {
      if (hasHeader) await write([]);
    },
  };
}

function cellOf({ type, of }: Column, line: ExportLine): Cell {
  const value = of(line);
  return type === 'json' && value !== undefined ? JSON.stringify(value) : (value as Cell);
}
