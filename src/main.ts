/** Starts the service: configuration → database → demo, if it is due → listen → drain on a signal to stop. With workers: `workers`. */
import { type Config, readConfig } from './config.ts';
import { failureOf } from './failure.ts';
import { openHome } from './open-home.ts';
import { openLog } from './operations/log.ts';
import { packageVersion } from './package-root.ts';
import { openEnd } from './stopping.ts';

async function main(): Promise<void> {
  const config = readConfig();
  if (config.workers.count === 1) return serveAlone(config);
  const { serveWithWorkers } = await import('./workers/serve-with-workers.ts');
  return serveWithWorkers(config);
}

/** Serves in this process. */
async function serveAlone(config: Config): Promise<void> {
  const log = openLog(config.logLevel);
  log.info({ version: packageVersion() }, 'Starting');
  const end = openEnd(log, async () => (await opening).close());
  const opening = openHome(config, log, { onEnd: end.fail });
  opening.catch(() => {}); // Awaited below.
  try {
    // The embedded database takes a second to open, mostly outside this thread. Load the rest meanwhile.
    const [{ startGateway }, { setUpDemo }] = await Promise.all([import('./gateway.ts'), import('./demo/demo.ts')]);
    const database = await opening;
    const showKeys = await setUpDemo(config, database, log);
    const gateway = await startGateway(config, database, log);
    end.becomes((isAtOnce) => gateway.stop({ isAtOnce }));
    log.info({ address: gateway.address, database: database.description }, 'Listening');
    await showKeys?.(gateway.address);
  } catch (error) {
    if (end.hasStarted()) return;
    await opening.then((database) => database.close());
    throw error;
  }
}

main().catch((error: unknown) => {
  const { text, status } = failureOf(error);
  process.stderr.write(`${text}\n`);
  process.exit(status);
});
