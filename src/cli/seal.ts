/** `pda seal`: seals the secrets in the database under `SECRET_KEY`, after it was set or changed. */
import type { Command } from 'commander';
import { countStale, sealStored } from '../database/sealed-columns.ts';
import { vaultOf } from '../database/vault.ts';
import { counted } from '../values/counted.ts';
import { UsageError } from './exit.ts';
import { runCommand } from './run.ts';
import { examples, say } from './terminal.ts';

export function addSeal(command: Command): void {
  command.option('--json', 'print {"sealed","left"}').action(({ json }: { json?: boolean }) =>
    runCommand(async (database) => {
      if (vaultOf(database).prefix === undefined) {
        throw new UsageError(
          'SECRET_KEY is not set: set it to a random text of at least 32 characters, such as the output of `openssl rand -base64 32`.',
        );
      }
      const sealed = await sealStored(database);
      const left = await countStale(database);
      const unreadable = left > 0 ? ` ${left} cannot be read: set SECRET_KEY_FORMER to their key.` : '';
      say(json, { sealed, left }, `Sealed ${counted(sealed, 'secret')}.${unreadable}\n`);
    }),
  );
  examples(command, 'pda seal', 'SECRET_KEY_FORMER="$OLD" SECRET_KEY="$NEW" pda seal');
}
