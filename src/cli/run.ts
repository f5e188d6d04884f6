/** Runs a command: reads the configuration, opens the database, does the work and sets the exit status. */
import { KeyNotFound, KeyRefused } from '../access/key-admin.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { CannotCopy } from '../database/copy/dump.ts';
import { type Database, DatabaseEnded, EmbeddedUnusable, isUnreachable, sqlStateOf } from '../database/database.ts';
import { CannotDistribute } from '../database/distribute.ts';
import { MayNotMigrate, pendingMigrations } from '../database/migrate.ts';
import { openDatabase } from '../database/open.ts';
import { FeedInvalid, FeedNotFound } from '../feeds/feed-invalid.ts';
import { SecretKeyUnusable } from '../feeds/seal-headers.ts';
import { bringUpToDate } from '../import/bring-up-to-date.ts';
import { DiskTooFull } from '../import/disk-space.ts';
import { FeedRefused } from '../import/feed-refused.ts';
import { DetachRefused } from '../import/identifier-binding.ts';
import { IdentifierMalformed, IdentifierNotFound } from '../import/identifier-name.ts';
import { BrokenFeed } from '../import/reject.ts';
import { Problem } from '../problem.ts';
import { counted } from '../values/counted.ts';
import { printable } from '../values/printable.ts';
import { EXIT, NothingFound, UsageError } from './exit.ts';
import { session } from './session.ts';

type Work = (database: Database, config: Config, applied: readonly string[]) => Promise<void>;

interface CommandOptions {
  /** The command changes nothing, so the database is neither created nor migrated for it. */
  isReading?: boolean;
  /** Works with a database that has any of the migrations. */
  leavesSchema?: boolean;
  /** Refuses a database by an error, before anything is changed in it. */
  examine?(database: Database): Promise<unknown>;
}

/** Runs a command and sets the exit status. Applies missing migrations first, unless it only reads. `LOG_LEVEL=debug` adds error stacks. */
export async function runCommand(
  work: Work,
  { isReading = false, leavesSchema = false, examine }: CommandOptions = {},
): Promise<void> {
  let database: Database | undefined;
  try {
    const config = readConfig(session().environment);
    database = await openDatabase(config, { purpose: 'bulk', mustExist: isReading });
    await examine?.(database);
    if (isReading && !leavesSchema) await refuseUnmigrated(database);
    const applied = isReading || leavesSchema ? [] : await bringUpToDate(database);
    await work(database, config, applied);
  } catch (error) {
    const current = session();
    current.status = statusOf(error);
    current.stderr.write(`${printable(sentenceOn(error, database))}\n`);
    if (current.environment.LOG_LEVEL === 'debug' && error instanceof Error)
      current.stderr.write(`${printable(error.stack ?? '')}\n`);
  } finally {
    await database?.close();
  }
}

/** Runs a command that changes nothing. */
export const runReading = (work: Work): Promise<void> => runCommand(work, { isReading: true });

async function refuseUnmigrated(database: Database): Promise<void> {
  const pending = await pendingMigrations(database);
  if (pending.length === 0) return;
  throw new UsageError(
    `The database lacks ${counted(pending.length, 'migration')}, which commands that only read do not apply: run \`pda migrate\` first.`,
  );
}

/** SQLSTATE 42501, insufficient_privilege: the role belongs to another duty. */
const isNotAllowed = (error: unknown) => sqlStateOf(error) === '42501';

// The words of Citus on the coordinator.
const LOST_WORKER = /^connection to the remote node (?:[^@\s]*@)?(\S+) failed/;

function sentenceOn(error: unknown, database: Database | undefined): string {
  if (!(error instanceof Error)) return String(error);
  // Node's error has no message when a name has several addresses and none of them answers.
  const reason = error.message || String((error.cause as { code?: string } | undefined)?.code ?? error.name);
  // SQLSTATE 53100, disk_full.
  if (sqlStateOf(error) === '53100')
    return `The disk of the database is full (${reason}): make room, and run this again.`;
  if (isNotAllowed(error)) {
    return `The database role lacks the rights for this: ${reason}. Use the DATABASE_URL of the role for this duty, or of the owner.`;
  }
  const worker = LOST_WORKER.exec(reason)?.[1];
  if (worker !== undefined) {
    return `The worker ${worker} of the cluster cannot be reached. Start it, or replace it from its standby, and run this again; \`pda doctor\` checks all workers.`;
  }
  if (!isUnreachable(error) || !database || error instanceof DatabaseEnded) return reason;
  if (reason.includes(database.description)) return reason;
  return `${database.description} cannot be used: ${reason}. Check that it is running and that DATABASE_URL or DATA_DIR is correct.`;
}

function statusOf(error: unknown): number {
  if (error instanceof ConfigError || error instanceof UsageError || error instanceof KeyRefused) return EXIT.usage;
  if (error instanceof Problem && error.status < 500) return EXIT.usage;
  if (error instanceof FeedInvalid || error instanceof SecretKeyUnusable) return EXIT.usage;
  if (error instanceof IdentifierMalformed || error instanceof DetachRefused) return EXIT.usage;
  if (error instanceof MayNotMigrate || error instanceof EmbeddedUnusable) return EXIT.usage;
  if (error instanceof CannotDistribute) return EXIT.usage;
  if (error instanceof BrokenFeed || error instanceof FeedRefused || error instanceof CannotCopy) return EXIT.feed;
  if (NOT_FOUND.some((kind) => error instanceof kind)) return EXIT.notFound;
  if (error instanceof DiskTooFull) return EXIT.database;
  if (isUnreachable(error) || isNotAllowed(error)) return EXIT.database;
  return EXIT.fault;
}

const NOT_FOUND = [KeyNotFound, FeedNotFound, IdentifierNotFound, NothingFound];
