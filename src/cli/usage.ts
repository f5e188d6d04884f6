/** `pda usage`: shows the requests that keys have used in a month, by day. */
import type { Command } from 'commander';
import { type KeyUsage, usageOf } from '../access/key-admin.ts';
import { UsageError } from './exit.ts';
import { runReading } from './run.ts';
import { session } from './session.ts';
import { barOf, colours, examples, say, sparkOf, tableOf } from './terminal.ts';

interface UsageOptions {
  key?: string;
  month?: string;
  json?: boolean;
}

export function addUsage(usage: Command): void {
  usage
    .argument('[key]')
    .option('--key <key>', 'the same as the argument')
    .option('--month <month>', 'YYYY-MM; the current month by default', readMonth)
    .option('--json', 'print a list of {"id","name","plan","month","used","quota","remaining","days"}')
    .action((argument: string | undefined, { key, month, json }: UsageOptions) =>
      runReading(async (database) => {
        if (argument !== undefined && key !== undefined && argument !== key)
          throw new UsageError(`The command names two keys, ${argument} and ${key}. Give only one.`);
        const keyId = argument ?? key;
        const usages = await usageOf(database, { keyId, month });
        const days = keyId === undefined ? '' : usages.map(describeDays).join('');
        say(json, usages, describeMonth(usages) + days);
      }),
    );
  examples(usage, 'pda usage --month 2030-01', 'pda usage key_1', 'pda usage key_1 --json');
}

const isTerminal = () => session().stdout.isTTY === true;

function describeMonth(usages: readonly KeyUsage[]): string {
  const rows = usages.map(({ id, name, plan, used, quota, remaining, days }) => [
    id,
    name,
    plan,
    String(used),
    quota === 0 ? 'unlimited' : String(quota),
    remaining === undefined ? '' : String(remaining),
    ...(isTerminal() ? [{ painted: colours().cyan(sparkOf(days.map((day) => day.used))) }] : []),
  ]);
  return tableOf(['id', 'name', 'plan', 'used', 'quota', 'remaining', ...(isTerminal() ? ['by day'] : [])], rows);
}

const BAR_WIDTH = 50;

function describeDays({ days }: KeyUsage): string {
  const most = Math.max(...days.map(({ used }) => used), 1);
  const rows = days.map(({ day, used }) => [
    day,
    String(used),
    ...(isTerminal() ? [{ painted: colours().cyan(barOf(used / most, BAR_WIDTH)) }] : []),
  ]);
  return rows.length === 0 ? '' : `\n${tableOf(['day', 'used', ...(isTerminal() ? [''] : [])], rows)}`;
}

function readMonth(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new UsageError(`${text} is not a month such as 2030-01.`);
  return text;
}
