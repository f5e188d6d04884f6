/** `pda migrate`: brings the database to the schema of this version. */
import type { Command } from 'commander';
import { runCommand } from './run.ts';
import { examples, say } from './terminal.ts';

export function addMigrate(command: Command): void {
  command.option('--json', 'print {"applied":[…]}').action(({ json }: { json?: boolean }) =>
    runCommand(async (_database, _config, applied) => {
      const text = applied.length > 0 ? `Applied ${applied.join(', ')}\n` : 'The database is up to date\n';
      say(json, { applied }, text);
    }),
  );
  examples(command, 'pda migrate');
}
