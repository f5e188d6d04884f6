/** `pda audit`: shows the audit log of keys and identifiers. */
import type { Command } from 'commander';
import { type AuditAction, type AuditEntry, currentActor, listAudit } from '../access/audit.ts';
import { showKey } from '../access/key-admin.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openLog } from '../operations/log.ts';
import { readMoment } from './moment.ts';
import { runCommand } from './run.ts';
import { examples, say, tableOf } from './terminal.ts';

export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description(
      'Show the newest thousand audit log entries: changes to keys, feeds and identifiers, with actor and time (UTC).',
    )
    .option('--key <key>', 'only entries about this key')
    .option('--since <time>', 'only entries from this day or time on, such as 2030-01-31', readMoment)
    .option('--json', 'print a list of {"at","action","key","actor","role","before","after"}')
    .action(({ key, since, json }: { key?: string; since?: Date; json?: boolean }) =>
      runCommand(async (database) => {
        const entries = await listAudit(database, { keyId: key, since });
        if (entries.length === 0 && key !== undefined) await refuseUnknown(database, key);
        say(json, entries, tableOf(['time', 'action', 'key', 'actor', 'before', 'after'], entries.map(rowOf)));
      }),
    );
  examples(audit, 'pda audit --since 2030-01-31', 'pda audit --key key_1 --json');
}

/** Logs an audit entry if LOG_LEVEL is set; otherwise a command that succeeds writes no log. */
export function logAudit({ logLevel }: Pick<Config, 'logLevel'>, action: AuditAction, key: string): void {
  if (!process.env.LOG_LEVEL) return;
  openLog(logLevel).info({ audit: { action, key, actor: currentActor() } }, 'Recorded');
}

function rowOf({ at, action, key = '', actor, role, before, after }: AuditEntry): string[] {
  return [at.toISOString(), action, key, `${actor} (${role})`, wordsOf(before), wordsOf(after)];
}

/** Refuses a key that neither exists nor has audit entries: entries outlive their key. @throws {KeyNotFound} */
async function refuseUnknown(database: Database, key: string): Promise<void> {
  if ((await listAudit(database, { keyId: key })).length === 0) await showKey(database, key);
}

const wordsOf = (values: object = {}): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
