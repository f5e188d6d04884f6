/** `pda seal`: seals the secrets in the database under `SECRET_KEY`, after it was set or changed. */
import type { Command } from 'commander';
import { countSealable, countStale, sealStored, TO_READ_AGAIN } from '../database/sealed-columns.ts';
import { vaultOf } from '../database/vault.ts';
import { counted } from '../values/counted.ts';
import { EXIT, UsageError } from './exit.ts';
import { runCommand } from './run.ts';
import { session } from './session.ts';
import { examples, say } from './terminal.ts';

export function addSeal(command: Command): void {
  command.option('--json', 'print {"sealed","left","total"}').action(({ json }: { json?: boolean }) =>
    runCommand(async (database) => {
      if (vaultOf(database).prefix === undefined) {
        throw new UsageError(
          'SECRET_KEY is not set: set it to a random text of at least 32 characters, such as the output of `openssl rand -base64 32`.',
        );
      }
      const sealed = await sealStored(database);
      const [left, total] = [await countStale(database), await countSealable(database)];
      // The embedded database has sealed what it could when it was opened.
      const all = total === 1 ? 'The only secret is' : `All ${total} secrets are`;
      const says =
        left > 0
          ? `Sealed ${counted(sealed, 'secret')}. ${left} of ${total} cannot be read. ${TO_READ_AGAIN}`
          : `${all} sealed under the present key.`;
      say(json, { sealed, left, total }, `${says}\n`);
      if (left > 0) session().status = EXIT.fault;
    }),
  );
  examples(command, 'pda seal', 'SECRET_KEY_FORMER="$OLD" SECRET_KEY="$NEW" pda seal');
}
