/** Starts the service: configuration → database → demo, if it is due → listen → drain on a signal to stop. With workers: `workers`. */
import { type Config, readConfig } from './config.ts';
import { failureOf } from './failure.ts';
import { openHome } from './open-home.ts';
import { openLog } from './operations/log.ts';
import { addressOf } from './values/http-address.ts';

async function main(): Promise<void> {
  const config = readConfig();
  if (config.workers.count === 1) return serveAlone(config);
  const { serveWithWorkers } = await import('./workers/serve-with-workers.ts');
  return serveWithWorkers(config);
}

/** Serves in this process. */
async function serveAlone(config: Config): Promise<void> {
  const log = openLog(config.logLevel);
  let stop: (why: { signal?: NodeJS.Signals; err?: Error }) => void = ({ err }) => {
    throw err;
  };
  const opening = openHome(config, log, { onEnd: (err) => setImmediate(() => stop({ err })) });
  opening.catch(() => {}); // Awaited below.
  // The embedded database takes a second to open, mostly outside this thread. Load the rest meanwhile.
  const [{ startGateway }, { setUpDemo }] = await Promise.all([import('./gateway.ts'), import('./demo/demo.ts')]);
  const database = await opening;
  if (config.workers.isAutomatic) log.info({ database: database.description }, 'WORKERS=auto uses one process here');
  const demo = await setUpDemo(config, database, (done, of) => {
    if (done % 10 === 0 || done === of) log.info(`Importing the demo catalogue: ${done} of ${of} feeds`);
  });
  // The demo's keys can be shown only once, so show them even if the server then cannot listen.
  const show = (address: string) => demo && process.stdout.write(`\n${demo.describe(address)}`);
  const gateway = await startGateway(config, database, log).catch(async (error: unknown) => {
    show(config.publicUrl ?? addressOf(config.host, config.port));
    await database.close();
    throw error;
  });
  log.info({ address: gateway.address, database: database.description }, 'Listening');
  show(gateway.address);

  let isStopping = false;
  stop = ({ signal, err }) => {
    if (isStopping) process.exit(1); // A second signal: the operator does not want to wait.
    isStopping = true;
    if (err) log.fatal({ err }, err.message);
    else log.info({ signal }, 'Stopping');
    gateway.stop({ isAtOnce: err !== undefined }).then(
      () => process.exit(err ? 1 : 0),
      (error) => {
        log.error({ err: error }, 'Stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', (signal) => stop({ signal }));
  process.on('SIGINT', (signal) => stop({ signal }));
}

main().catch((error: unknown) => {
  const { text, status } = failureOf(error);
  process.stderr.write(`${text}\n`);
  process.exit(status);
});
