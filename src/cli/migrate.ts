/** `pda migrate`: brings the database to the schema of this version. */
import type { Command } from 'commander';
import { runCommand } from './run.ts';
import { examples, say } from './terminal.ts';

export function addMigrate(program: Command): void {
  const command = program
    .command('migrate')
    .description('Apply missing migrations. The server also does this when it starts.')
    .option('--json', 'print {"applied":[…]}')
    .action(({ json }: { json?: boolean }) =>
      runCommand(async (_database, _config, applied) => {
        const text = applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'The database is up to date\n';
        say(json, { applied }, text);
      }),
    );
  examples(command, 'pda migrate');
}
