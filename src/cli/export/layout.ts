/** What all formats of exported files share. */
import type { ExportKind, ExportLine } from '../../catalogue/exports/export.ts';

export interface Layout {
  kind: ExportKind;
  /** Of all amounts. */
  currency: string;
  /** The cursor of the changes that follow the export. */
  cursor: string;
}

/** Writes the lines of an export. */
export interface LineWriter {
  write(lines: readonly ExportLine[]): Promise<void>;
  /** Writes what comes after the lines. @param count their number. */
  end(count: number): Promise<void>;
}
