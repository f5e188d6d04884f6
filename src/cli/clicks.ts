/** `pda clicks`: reports the clicks on each shop's links, by day. */
import type { Command } from 'commander';
import { reportClicks, type ShopClicks, TooManyClickRows } from '../clicks/click-report.ts';
import { requireShop } from '../import/detachment.ts';
import { toCsv } from '../rest/csv.ts';
import { DAY_MS, dayOf, isDay, startOfDay } from '../values/day.ts';
import { UsageError } from './exit.ts';
import { runReading } from './run.ts';
import { examples, say, tableOf } from './terminal.ts';

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

export function addClicks(clicks: Command): void {
  clicks
    .option('--days <days>', `number of days up to the last day, including it: 1 to ${MOST_DAYS}`, readDays)
    .option('--from <day>', 'the first day, such as 2030-01-01', readDay)
    .option('--to <day>', 'the last day; today by default', readDay)
    .option('--merchant <shop>', 'only this shop (name or slug)')
    .option('--json', 'print a list of {"day","merchant","name","clicks"}')
    .option('--csv', 'print the report as comma-separated values')
    .action((options: ClicksOptions) => {
      const span = spanOf(options);
      return runReading(async (database) => {
        const { merchant, json, csv } = options;
        const shop = merchant === undefined ? undefined : await requireShop(database, merchant);
        const rows = await reportClicks(database, { ...span, shopId: shop?.id }).catch((error: unknown) => {
          throw error instanceof TooManyClickRows ? new UsageError(error.message) : error;
        });
        const cells = rows.map((row) => COLUMNS.map((column) => row[column]));
        say(json, rows, csv ? toCsv(COLUMNS, cells) : asTable(rows));
      });
    });
  examples(
    clicks,
    'pda clicks --days 7',
    'pda clicks --merchant "A Shop" --from 2030-01-01 --to 2030-01-31 --csv > clicks.csv',
  );
}

const COLUMNS = ['day', 'merchant', 'name', 'clicks'] as const;

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
  if (count < 1) throw new UsageError(`--from ${first} is after --to ${last}. Swap the two days.`);
  if (count <= MOST_DAYS) return { from: first, to: last };
  throw new UsageError(`A report covers at most ${MOST_DAYS} days, but this span has ${count}. Choose a shorter one.`);
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
