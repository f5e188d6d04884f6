/** The start of the service: configuration → database → demo, where it is due → listen → drain when told to stop. */
import { ConfigError, readConfig } from './config.ts';
import { FolderInUse } from './database/folder-lock.ts';
import { openDatabase } from './database/open.ts';
import { openLog } from './operations/log.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const log = openLog(config.logLevel);
  const opening = openDatabase(config, {
    onConnectionLost: (err) => log.warn({ err }, 'A database connection was lost; the pool makes a new one'),
  });
  opening.catch(() => {}); // Awaited below.
  // The embedded database takes a second to open, much of it outside this thread: meanwhile the rest is loaded.
  const [{ startGateway }, { setUpDemo }] = await Promise.all([import('./gateway.ts'), import('./demo/demo.ts')]);
  const database = await opening;
  const demo = await setUpDemo(config, database, (done, of) => {
    if (done % 10 === 0 || done === of) log.info(`Importing the demo catalogue: ${done} of ${of} feeds`);
  });
  const gateway = await startGateway(config, database, log);
  log.info({ address: gateway.address, database: database.description }, 'Listening');
  if (demo) process.stdout.write(`\n${demo.describe(gateway.address)}`);

  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1); // Asked twice: whoever asks does not want to wait.
    isStopping = true;
    log.info({ signal }, 'Stopping');
    gateway.stop().then(
      () => process.exit(0),
      (err) => {
        log.error({ err }, 'Stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const isExpected = error instanceof ConfigError || error instanceof FolderInUse;
  const advice = error instanceof FolderInUse ? ' Stop that process, or set DATA_DIR to another folder.' : '';
  process.stderr.write(
    isExpected ? `${error.message}${advice}\n` : `${error instanceof Error ? error.stack : error}\n`,
  );
  process.exit(isExpected ? 2 : 1);
});
