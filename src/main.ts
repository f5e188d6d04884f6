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
  // The demo's keys are shown once: also when the server then finds its port taken.
  const show = (address: string) => demo && process.stdout.write(`\n${demo.describe(address)}`);
  const gateway = await startGateway(config, database, log).catch(async (error: unknown) => {
    show(config.publicUrl ?? `http://${config.host}:${config.port}`);
    await database.close();
    throw error;
  });
  log.info({ address: gateway.address, database: database.description }, 'Listening');
  show(gateway.address);

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
  const sentence = explain(error);
  process.stderr.write(`${sentence ?? (error instanceof Error ? error.stack : error)}\n`);
  process.exit(sentence === undefined ? 1 : 2);
});

/** What the operator can mend, in a sentence; nothing for a fault of ours. */
function explain(error: unknown): string | undefined {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof FolderInUse) return `${error.message} Stop that process, or set DATA_DIR to another folder.`;
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (syscall !== 'listen') return undefined;
  return `The server cannot listen on ${address}:${port} (${code}): set PORT and HOST to an address that is free.`;
}
