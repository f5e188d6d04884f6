/** `pda clicks`: how often the links to each shop were followed, day by day. */
import type { Command } from 'commander';
import { isShop, reportClicks, type ShopClicks, TooManyClickRows } from '../clicks/click-report.ts';
import { toCsv } from '../rest/csv.ts';
import { DAY_MS, dayOf, isDay, startOfDay } from '../values/day.ts';
import { examples } from './examples.ts';
import { runCommand, UsageError } from './run.ts';
import { say, tableOf } from './terminal.ts';

interface ClicksOptions {
  from?: string;
  to?: string;
  days?: number;
  merchant?: string;
  json?: boolean;
  csv?: boolean;
}

const USUAL_DAYS = 30;
const MOST_DAYS = 366;

export function addClicks(program: Command): void {
  const clicks = program
    .command('clicks')
    .description(
      `Show how often the links to each shop were followed, by day (UTC): the last ${USUAL_DAYS} days by default.`,
    )
    .option('--days <days>', `the last days, today included, 1 to ${MOST_DAYS}`, readDays)
    .option('--from <day>', 'the first day, such as 2030-01-01', readDay)
    .option('--to <day>', 'the last day; today by default', readDay)
    .option('--merchant <shop>', 'one shop alone, by its name or slug')
    .option('--json', 'print a list of {"day","merchant","name","clicks"}')
    .option('--csv', 'print the same as comma-separated values')
    .action((options: ClicksOptions) => {
      const span = spanOf(options);
      return runCommand(async (database) => {
        const { merchant, json, csv } = options;
        if (merchant !== undefined && !(await isShop(database, merchant)))
          throw new UsageError(
            `No shop is called ${merchant}: give its name as in \`pda import --merchant\`, or its slug.`,
          );
        const rows = await reportClicks(database, { ...span, merchant }).catch((error: unknown) => {
          throw error instanceof TooManyClickRows ? new UsageError(error.message) : error;
        });
        say(json, rows, csv ? asCsv(rows) : asTable(rows));
      });
    });
  examples(
    clicks,
    'pda clicks --days 7',
    'pda clicks --merchant "A Shop" --from 2030-01-01 --to 2030-01-31 --csv > clicks.csv',
  );
}

const COLUMNS = ['day', 'merchant', 'name', 'clicks'] as const;

function asCsv(rows: readonly ShopClicks[]): string {
  return toCsv(
    COLUMNS,
    rows.map((row) => COLUMNS.map((column) => row[column])),
  );
}

function asTable(rows: readonly ShopClicks[]): string {
  const total = rows.reduce((sum, { clicks }) => sum + clicks, 0);
  const lines = rows.map(({ day, name, clicks }) => [day, name, String(clicks)]);
  return tableOf(['day', 'shop', 'clicks'], [...lines, ['', 'total', String(total)]]);
}

/** The days of the report. @throws {UsageError} when the options contradict each other or ask for too many days. */
function spanOf({ from, to, days, json, csv }: ClicksOptions): { from: string; to: string } {
  if (json && csv) throw new UsageError('Choose one of --json and --csv.');
  if (days !== undefined && from !== undefined) throw new UsageError('Choose one of --days and --from.');
  const last = to ?? dayOf(Date.now());
  const first = from ?? dayOf(startOfDay(last) - ((days ?? USUAL_DAYS) - 1) * DAY_MS);
  const count = (startOfDay(last) - startOfDay(first)) / DAY_MS + 1;
  if (count < 1) throw new UsageError(`--from ${first} is after --to ${last}: put the earlier day first.`);
  if (count > MOST_DAYS)
    throw new UsageError(`A report has at most ${MOST_DAYS} days, and these are ${count}: choose fewer.`);
  return { from: first, to: last };
}

function readDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= MOST_DAYS) return days;
  throw new UsageError(`--days must be a whole number from 1 to ${MOST_DAYS}; got ${text}.`);
}

function readDay(text: string): string {
  if (isDay(text)) return text;
  throw new UsageError(`${text} is not a day such as 2030-01-31.`);
}
