/**
 * Exports as Apache Parquet. Amounts are decimals of 18 digits, times are UTC in milliseconds. The cursor of the changes that follow is in
 * the metadata, as `changes_cursor`.
 */
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { ExportLine } from '../../catalogue/exports/export.ts';
import { currencyDecimals } from '../../values/money.ts';
import { type Column, type ColumnType, columnsOfExport } from './columns.ts';
import type { Layout, LineWriter } from './layout.ts';
import type { Output } from './output.ts';

// Rows are kept until their group is written: about 30 MB.
const ROWS_OF_A_GROUP = 20_000;
const DIGITS = 18;

export function parquetRows({ kind, currency, cursor }: Layout, output: Output): LineWriter {
  const columns = columnsOfExport(kind);
  const elements = columns.map(({ name, type }) => ({ name, ...elementOf(type, currencyDecimals(currency)) }));
  const root: SchemaElement = { name: 'root', num_children: columns.length };
  const writer = new ParquetWriter({
    writer: new OutputWriter(output),
    schema: [root, ...elements],
    kvMetadata: [{ key: 'changes_cursor', value: cursor }],
    createdBy: 'product-data-api',
  });
  let waiting: ExportLine[] = [];

  const writeGroup = async () => {
    if (waiting.length === 0) return;
    const columnData = columns.map((column) => dataOf(column, waiting));
    waiting = [];
    await writer.write({ columnData, rowGroupSize: ROWS_OF_A_GROUP });
  };
  return {
    async write(lines) {
      waiting.push(...lines);
      if (waiting.length >= ROWS_OF_A_GROUP) await writeGroup();
    },
    async end() {
      await writeGroup();
      await writer.finish();
    },
  };
}

/** Hands over the bytes of each group of rows. */
class OutputWriter extends ByteWriter {
  readonly #output: Output;

  constructor(output: Output) {
    super();
    this.#output = output;
  }

  /** Called by the library after each group. */
  async flush(): Promise<void> {
    const bytes = this.getBytes().slice();
    this.index = 0;
    await this.#output.write(bytes);
  }

  override finish(): Promise<void> {
    return this.flush();
  }
}

function elementOf(type: ColumnType, decimals: number): Omit<SchemaElement, 'name'> {
  const repetition_type = 'OPTIONAL';
  switch (type) {
    case 'text':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type };
    case 'json':
      return { type: 'BYTE_ARRAY', converted_type: 'JSON', repetition_type };
    case 'amount':
      return { type: 'INT64', converted_type: 'DECIMAL', scale: decimals, precision: DIGITS, repetition_type };
    case 'time':
      return { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type };
    case 'boolean':
      return { type: 'BOOLEAN', repetition_type };
  }
}

function dataOf({ name, type, of }: Column, lines: readonly ExportLine[]): ColumnSource {
  const values = lines.map(of);
  return { name, data: type === 'time' ? values.map((value) => value && new Date(String(value))) : values };
}
