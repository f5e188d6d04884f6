/** `pda demo`: imports the demo catalogue. */
import type { Command } from 'commander';
import { importDemo } from '../demo/demo.ts';
import { localAddressOf } from '../values/http-address.ts';
import { runCommand, UsageError } from './run.ts';
import { examples, openProgress, say } from './terminal.ts';

export function addDemo(program: Command): void {
  const command = program
    .command('demo')
    .description('Import the demo catalogue into the configured database, and create one key for each plan.')
    .option('--json', 'print {"keys":[{"id","key","plan","name"}]}')
    .action(({ json }: { json?: boolean }) =>
      runCommand(async (database, config) => {
        if (config.marketCurrency !== 'EUR')
          throw new UsageError('The prices of the demo catalogue are in EUR. Unset MARKET_CURRENCY to import it.');
        const progress = openProgress('Importing the demo catalogue');
        const onFeed = (done: number, of: number) => progress.update(done / of, `${done} of ${of} feeds`);
        const demo = await importDemo(database, onFeed, new Date(), { hasDemoKey: config.hasDemoKey });
        progress.end();
        const address = config.publicUrl ?? localAddressOf(config.host, config.port);
        say(json, { keys: demo.keys }, demo.describe(address));
      }),
    );
  examples(command, 'pda demo');
}
