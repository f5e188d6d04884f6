/** `pda migrate`: the database brought to the schema of this version. */
import type { Command } from 'commander';
import { examples } from './examples.ts';
import { runCommand } from './run.ts';
import { say } from './terminal.ts';

export function addMigrate(program: Command): void {
  const command = program
    .command('migrate')
    .description('Apply the migrations that the database lacks. The server does this by itself when it starts.')
    .option('--json', 'print {"applied":[…]}')
    .action(({ json }: { json?: boolean }) =>
      runCommand(async (_database, _config, applied) => {
        const text =
          applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'Nothing to do: the database is up to date\n';
        say(json, { applied }, text);
      }),
    );
  examples(command, 'pda migrate');
}
