/** `pda usage`: what keys have used in a month. */
import type { Command } from 'commander';
import { usageOf } from '../access/key-admin.ts';
import { examples } from './examples.ts';
import { runCommand, UsageError } from './run.ts';
import { say, tableOf } from './terminal.ts';

export function addUsage(program: Command): void {
  const usage = program
    .command('usage')
    .description('Show what keys have used in a month (UTC).')
    .option('--key <id>', 'of one key alone')
    .option('--month <month>', 'YYYY-MM; the current one by default', readMonth)
    .option('--json', 'print a list of {"id","name","plan","month","used","quota","remaining"}')
    .action(({ key, month, json }: { key?: string; month?: string; json?: boolean }) =>
      runCommand(async (database) => {
        const usages = await usageOf(database, { keyId: key, month });
        const rows = usages.map(({ id, name, plan, used, quota, remaining }) => [
          id,
          name,
          plan,
          String(used),
          quota === 0 ? 'unlimited' : String(quota),
          remaining === undefined ? '' : String(remaining),
        ]);
        say(json, usages, tableOf(['id', 'name', 'plan', 'used', 'quota', 'left'], rows));
      }),
    );
  examples(usage, 'pda usage --month 2030-01', 'pda usage --key key_1 --json');
}

function readMonth(text: string): string {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) throw new UsageError(`${text} is not a month such as 2030-01.`);
  return text;
}
