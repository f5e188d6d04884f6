/** Why a server process cannot start: the text for the operator, and the exit status for its supervisor. */
import { ConfigError } from './config.ts';
import { DatabaseEnded, EmbeddedUnusable, isUnreachable } from './database/database.ts';
import { MayNotMigrate } from './database/migrate.ts';
import { RightsMissing } from './database/roles.ts';
import { DiskTooFull } from './import/disk-space.ts';

/** The same statuses as `pda`. A supervisor restarts after a fault or an unreachable database, not after a wrong configuration. */
const EXIT = { fault: 1, configuration: 2, database: 5 } as const;

/** A worker could not start; it has explained the failure by itself. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed';
  readonly status: number;

  constructor(text: string, status: number) {
    super(text);
    this.status = status;
  }
}

/** Explains an error that ended the start. The stack explains bugs. */
export function failureOf(error: unknown): { text: string; status: number } {
  if (error instanceof WorkerFailed) return { text: error.message, status: error.status };
  const sentence = explain(error);
  const text = sentence ?? String(error instanceof Error ? error.stack : error);
  return { text, status: statusOf(error, sentence) };
}

function statusOf(error: unknown, sentence: string | undefined): number {
  if (sentence === undefined || error instanceof DatabaseEnded) return EXIT.fault;
  return isUnreachable(error) ? EXIT.database : EXIT.configuration;
}

const EXPLAINED = [ConfigError, DiskTooFull, MayNotMigrate, RightsMissing, DatabaseEnded, EmbeddedUnusable];

/** A message for errors that the operator can fix; `undefined` for bugs. */
function explain(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (EXPLAINED.some((kind) => error instanceof kind)) return error.message;
  if (isUnreachable(error)) {
    return `The database cannot be used: ${error.message}. Check that it is running and that DATABASE_URL or DATA_DIR is correct, then start again.`;
  }
  const { code, syscall, hostname, address, port } = error as ListenError;
  if (syscall === 'getaddrinfo') {
    return `The server cannot listen on ${hostname} (${code}): set HOST to an address of this machine.`;
  }
  // A worker's error names the other system call.
  if (syscall !== 'listen' && syscall !== 'bind') return undefined;
  return `The server cannot listen on ${address}:${port} (${code}): set PORT and HOST to a free address.`;
}

/** @property hostname the name that could not be resolved. */
type ListenError = NodeJS.ErrnoException & { hostname?: string; address?: string; port?: number };
