/** The start of the service: configuration → database → demo, where it is due → listen → drain when told to stop. */
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
  let stop: (why: Ending) => void = ({ err }) => {
    throw err;
  };
  const opening = openDatabase(config, {
    onConnectionLost: (err) => log.warn({ err }, 'A database connection was lost; the pool makes a new one'),
    onAway: (err) => log.error({ err }, 'The database is away: requests are answered 503 until it is found again'),
    onBack: () => log.info('The database is there'),
    onShared: (warning) => log.warn(warning),
    onTimeoutLost: (err) =>
      log.error({ err }, 'Statements that run for too long are not ended any more: restart the server'),
    onEnd: (err) => setImmediate(() => stop({ err })),
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
  stop = ({ signal, err }) => {
    if (isStopping) process.exit(1); // Asked twice: whoever asks does not want to wait.
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

/** Why the server stops: it is told to, or its database has ended. */
interface Ending {
  signal?: NodeJS.Signals;
  err?: Error;
}

main().catch((error: unknown) => {
  const sentence = explain(error);
  process.stderr.write(`${sentence ?? (error instanceof Error ? error.stack : error)}\n`);
  process.exit(statusOf(error, sentence));
});

/** As `pda` has them: a supervisor starts again after a status that time may mend, not after the configuration's. */
const EXIT = { fault: 1, configuration: 2, database: 5 } as const;

function statusOf(error: unknown, sentence: string | undefined): number {
  if (sentence === undefined || error instanceof DatabaseEnded) return EXIT.fault;
  return isUnreachable(error) ? EXIT.database : EXIT.configuration;
}

/** What the operator can mend, in a sentence; nothing for a fault of ours. */
function explain(error: unknown): string | undefined {
  if (
    error instanceof ConfigError ||
    error instanceof MayNotMigrate ||
    error instanceof RightsMissing ||
    error instanceof DatabaseEnded ||
    error instanceof FolderUnusable
  ) {
    return error.message;
  }
  if (error instanceof FolderInUse) return `${error.message} Stop that process, or set DATA_DIR to another folder.`;
  if (isUnreachable(error)) {
    return `The database cannot be used: ${(error as Error).message}. Check that it runs and that DATABASE_URL names it rightly, then start again.`;
  }
  const { code, syscall, hostname, address, port } = error as ListenError;
  if (syscall === 'getaddrinfo') {
    return `The server cannot listen on ${hostname} (${code}): set HOST to an address of this machine.`;
  }
  if (syscall !== 'listen') return undefined;
  return `The server cannot listen on ${address}:${port} (${code}): set PORT and HOST to an address that is free.`;
}

interface ListenError extends NodeJS.ErrnoException {
  /** The name that has no address. */
  hostname?: string;
  address?: string;
  port?: number;
}
