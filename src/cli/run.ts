/** The frame of every command: configuration, database, the work, and an exit status that means something. */
import { KeyNotFound, KeyRefused } from '../access/key-admin.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { type Database, isUnavailable } from '../database/database.ts';
import { FolderInUse } from '../database/folder-lock.ts';
import { migrate } from '../database/migrate.ts';
import { openForCommand } from '../database/open.ts';
import { FeedRefused } from '../import/import-feed.ts';
import { BrokenFeed } from '../import/reject.ts';

/** What the command's exit status says. */
export const EXIT = { done: 0, fault: 1, usage: 2, feed: 3, noSuchKey: 4, database: 5 } as const;

/** The words of a command are wrong; the message says what is allowed. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/**
 * Runs a command on the configured database, migrated first (`applied` names what that did), and sets the exit status. A fault is one sentence on standard
 * error; with `LOG_LEVEL=debug` its stack too.
 */
export async function runCommand(
  work: (database: Database, config: Config, applied: readonly string[]) => Promise<void>,
): Promise<void> {
  let database: Database | undefined;
  try {
    const config = readConfig();
    database = await openForCommand(config, { purpose: 'bulk' });
    const applied = await migrate(database);
    await work(database, config, applied);
  } catch (error) {
    process.exitCode = statusOf(error);
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message}\n`);
    if (process.env.LOG_LEVEL === 'debug' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  } finally {
    await database?.close();
  }
}

function statusOf(error: unknown): number {
  if (error instanceof ConfigError || error instanceof UsageError || error instanceof KeyRefused) return EXIT.usage;
  if (error instanceof BrokenFeed || error instanceof FeedRefused) return EXIT.feed;
  if (error instanceof KeyNotFound) return EXIT.noSuchKey;
  if (error instanceof FolderInUse || isUnavailable(error)) return EXIT.database;
  return EXIT.fault;
}
