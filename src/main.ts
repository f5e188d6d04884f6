/** Starts the service: configuration → database → demo, if it is due → listen → drain on a signal to stop. */
import { ConfigError, readConfig } from './config.ts';
import { DatabaseEnded, isUnreachable } from './database/database.ts';
import { FolderInUse, FolderUnusable } from './database/folder-lock.ts';
import { MayNotMigrate } from './database/migrate.ts';
import { openDatabase } from './database/open.ts';
import { RightsMissing } from './database/roles.ts';
import { openLog } from './operations/log.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const log = openLog(config.logLevel);
  let stop: (why: { signal?: NodeJS.Signals; err?: Error }) => void = ({ err }) => {
    throw err;
  };
  const opening = openDatabase(config, {
    onConnectionLost: (err) => log.warn({ err }, 'A database connection was lost; the pool opens a new one'),
    onAway: (err) => log.error({ err }, 'The database is unavailable: requests get 503 until it is back'),
    onBack: () => log.info('The database is available'),
    onShared: (warning) => log.warn(warning),
    onTimeoutLost: (err) =>
      log.error({ err }, 'Statements that run too long are no longer cancelled: restart the server'),
    onEnd: (err) => setImmediate(() => stop({ err })),
  });
  opening.catch(() => {}); // Awaited below.
  // The embedded database takes a second to open, mostly outside this thread. Load the rest meanwhile.
  const [{ startGateway }, { setUpDemo }] = await Promise.all([import('./gateway.ts'), import('./demo/demo.ts')]);
  const database = await opening;
  const demo = await setUpDemo(config, database, (done, of) => {
    if (done % 10 === 0 || done === of) log.info(`Importing the demo catalogue: ${done} of ${of} feeds`);
  });
  // The demo's keys can be shown only once, so show them even if the server then cannot listen.
  const show = (address: string) => demo && process.stdout.write(`\n${demo.describe(address)}`);
  const gateway = await startGateway(config, database, log).catch(async (error: unknown) => {
    show(config.publicUrl ?? `http://${config.host}:${config.port}`);
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
  const sentence = explain(error);
  process.stderr.write(`${sentence ?? (error instanceof Error ? error.stack : error)}\n`);
  process.exit(statusOf(error, sentence));
});

/** The same statuses as `pda`. A supervisor restarts after a fault or an unreachable database, not after a wrong configuration. */
const EXIT = { fault: 1, configuration: 2, database: 5 } as const;

function statusOf(error: unknown, sentence: string | undefined): number {
  if (sentence === undefined || error instanceof DatabaseEnded) return EXIT.fault;
  return isUnreachable(error) ? EXIT.database : EXIT.configuration;
}

const EXPLAINED = [ConfigError, MayNotMigrate, RightsMissing, DatabaseEnded, FolderUnusable];

/** A message for errors that the operator can fix; `undefined` for bugs. */
function explain(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (EXPLAINED.some((kind) => error instanceof kind)) return error.message;
  if (error instanceof FolderInUse) return `${error.message} Stop that process, or set DATA_DIR to another folder.`;
  if (isUnreachable(error)) {
    return `The database cannot be used: ${error.message}. Check that it is running and that DATABASE_URL is correct, then start again.`;
  }
  const { code, syscall, hostname, address, port } = error as ListenError;
  if (syscall === 'getaddrinfo') {
    return `The server cannot listen on ${hostname} (${code}): set HOST to an address of this machine.`;
  }
  if (syscall !== 'listen') return undefined;
  return `The server cannot listen on ${address}:${port} (${code}): set PORT and HOST to a free address.`;
}

/** @property hostname the name that could not be resolved. */
type ListenError = NodeJS.ErrnoException & { hostname?: string; address?: string; port?: number };
