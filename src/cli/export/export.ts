/** `pda export`: writes all products, offers or prices to a file, or to standard output. */
import { Argument, type Command, Option } from 'commander';
import { EXPORT_KINDS, type ExportFilter, type ExportKind, openExport } from '../../catalogue/exports/export.ts';
import { openLoaders } from '../../catalogue/loaders.ts';
import { type Config, marketOf } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { encodeChangesCursor } from '../../ledger/changes/changes-cursor.ts';
import { readExtent } from '../../ledger/changes/read-changes.ts';
import { AVAILABILITIES } from '../../ledger/entry.ts';
import { Problem } from '../../problem.ts';
import { counted } from '../../values/counted.ts';
import { isDay } from '../../values/day.ts';
import { printable } from '../../values/printable.ts';
import { UsageError } from '../exit.ts';
import { runReading } from '../run.ts';
import { session } from '../session.ts';
import { examples, openProgress, say } from '../terminal.ts';
import { FORMATS, type Format, openFormat } from './formats.ts';
import { openFile, openStandardOutput, ReaderLeft } from './output.ts';

interface ExportOptions extends ExportFilter {
  format?: Format;
  out?: string;
  json?: boolean;
}

export function addExport(command: Command): void {
  command
    .addArgument(new Argument('<kind>', 'what to export').choices(EXPORT_KINDS))
    .addOption(
      new Option('--format <format>', 'the format; by default that of the ending of --out, or ndjson').choices(FORMATS),
    )
    .option('--out <file>', 'the file, which appears once it is complete; standard output by default')
    .option('--category <category>', 'only this category (slug or id) and all below it')
    .option('--brand <brand>', 'only this brand (slug or id)')
    .option('--merchant <shop>', 'only offers of this shop (slug or id); of products, those that it offers')
    .option('--min-price <price>', 'the minimum of the total price; of products, of the lowest one', readPrice)
    .option('--max-price <price>', 'the maximum of the total price; of products, of the lowest one', readPrice)
    .addOption(new Option('--availability <word>', 'only with this availability').choices(AVAILABILITIES))
    .addOption(new Option('--shipping <word>', 'of offers, only those with known shipping').choices(['known']))
    .option('--from <day>', 'the first day of the history, such as 2030-01-01', readDay)
    .option('--to <day>', 'the last day of the history', readDay)
    .option('--json', 'print {"kind","format","lines","cursor","file"}; needs --out')
    .action((kind: ExportKind, options: ExportOptions) => {
      const format = options.format ?? formatOf(options.out);
      checkOptions(kind, { ...options, format });
      return runReading((database, config) => runExport(database, config, kind, { ...options, format }));
    });
  examples(
    command,
    'pda export offers --out offers.parquet',
    'pda export history --merchant a-shop --from 2030-01-01 --format csv | gzip > history.csv.gz',
  );
}

/** The format that the ending of a file's name says. */
const formatOf = (out = ''): Format => FORMATS.find((format) => out.toLowerCase().endsWith(`.${format}`)) ?? 'ndjson';

async function runExport(
  database: Database,
  config: Config,
  kind: ExportKind,
  options: ExportOptions & { format: Format },
): Promise<void> {
  const { format, out, json, ...filter } = options;
  const market = marketOf(config);
  // Read before the first line, so that the changes from here complete the export.
  const cursor = encodeChangesCursor((await readExtent(database)).head);
  const context = { loaders: openLoaders(database), market, catalogue: database };
  const pages = await openExport(kind, filter, context).catch((error: unknown) => {
    throw error instanceof Problem ? new UsageError(error.message) : error;
  });
  const output = out === undefined ? openStandardOutput() : await openFile(out);
  const progress = openProgress('Export');
  let count = 0;
  try {
    const writer = await openFormat(format, { kind, currency: market.currency, cursor }, output);
    for await (const page of pages) {
      await writer.write(Array.from({ length: page.length }, (_, index) => page.lineAt(index)));
      count += page.length;
      progress.update(undefined, `${counted(count, 'line')} written`);
    }
    await writer.end(count);
    await output.complete();
  } catch (error) {
    if (!(error instanceof ReaderLeft)) throw error;
  } finally {
    progress.end();
    await output.discard();
  }
  if (out === undefined) return;
  const summary = { kind, format, lines: count, cursor, file: out };
  say(
    json,
    summary,
    `${counted(count, 'line')} written to ${printable(out)}. The changes after cursor ${cursor} follow.\n`,
  );
}

function checkOptions(kind: ExportKind, { format, out, json, from, to, shipping }: ExportOptions): void {
  if (kind !== 'offers' && shipping) throw new UsageError(`--shipping selects offers. Leave it out for ${kind}.`);
  if (kind !== 'history' && (from !== undefined || to !== undefined)) {
    throw new UsageError(`--from and --to select days of the history. Leave them out for ${kind}.`);
  }
  if (json && out === undefined) throw new UsageError('--json needs --out, because standard output has the export.');
  if (format === 'parquet' && out === undefined && session().stdout.isTTY) {
    throw new UsageError('A Parquet file is not for a terminal. Add --out <file>.');
  }
}

function readPrice(text: string): number {
  if (/^\d{1,12}(\.\d{1,4})?$/.test(text)) return Number(text);
  throw new UsageError(`${text} is not a price such as 12.99.`);
}

function readDay(text: string): string {
  if (isDay(text)) return text;
  throw new UsageError(`${text} is not a day such as 2030-01-31.`);
}
