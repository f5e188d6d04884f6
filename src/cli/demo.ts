/** `pda demo`: imports the demo catalogue. */
import type { Command } from 'commander';
import { importDemo } from '../demo/demo.ts';
import { DEMO_MARKET, suitsDemo } from '../demo/may-have-demo.ts';
import { localAddressOf } from '../values/http-address.ts';
import { UsageError } from './exit.ts';
import { runCommand } from './run.ts';
import { examples, openProgress, say } from './terminal.ts';

export function addDemo(command: Command): void {
  command.option('--json', 'print {"keys":[{"id","key","plan","name"}]}').action(({ json }: { json?: boolean }) =>
    runCommand(async (database, config) => {
      if (!suitsDemo(config)) {
        const prices = `The prices of the demo catalogue are in ${DEMO_MARKET.currency}.`;
        throw new UsageError(`${prices} Unset MARKET_CURRENCY to import it.`);
      }
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
