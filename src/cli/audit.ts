/** `pda audit`: shows the audit log of keys, feeds and identifiers. */
import { type Command, Option } from 'commander';
import { AUDIT_ACTIONS, type AuditAction, type AuditEntry, currentActor, listAudit } from '../access/audit.ts';
import { showKey } from '../access/key-admin.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { UsageError } from './exit.ts';
import { readMoment } from './moment.ts';
import { runReading } from './run.ts';
import { session } from './session.ts';
import { examples, say, tableOf } from './terminal.ts';

export function addAudit(audit: Command): void {
  audit
    .option('--key <key>', 'only entries about this key')
    .addOption(new Option('--action <action>', 'only entries of this action, such as feed.edit').argParser(readAction))
    .option('--since <time>', 'only entries from this day or time on, such as 2030-01-31', readMoment)
    .option('--json', 'print a list of {"at","action","key","actor","role","before","after"}')
    .action(({ key, action, since, json }: { key?: string; action?: AuditAction; since?: Date; json?: boolean }) =>
      runReading(async (database) => {
        const entries = await listAudit(database, { action, keyId: key, since });
        if (entries.length === 0 && key !== undefined) await refuseUnknown(database, key);
        say(json, entries, tableOf(['time', 'action', 'key', 'actor', 'before', 'after'], entries.map(rowOf)));
      }),
    );
  examples(audit, 'pda audit --since 2030-01-31', 'pda audit --key key_1 --json', 'pda audit --action feed.edit');
}

/** @throws {UsageError} that lists the actions. */
function readAction(text: string): AuditAction {
  const action = AUDIT_ACTIONS.find((each) => each === text);
  if (action) return action;
  throw new UsageError(`--action must be one of ${AUDIT_ACTIONS.join(', ')}; got ${text.slice(0, 60)}.`);
}

/** Logs an audit entry if LOG_LEVEL is set; otherwise a command that succeeds writes no log. */
export async function logAudit(
  { logLevel }: Pick<Config, 'logLevel'>,
  action: AuditAction,
  key: string,
): Promise<void> {
  const { environment, stderr } = session();
  if (!environment.LOG_LEVEL) return;
  const { openLog } = await import('../operations/log.ts');
  openLog(logLevel, false, stderr).info({ audit: { action, key, actor: currentActor() } }, 'Recorded');
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
    .map(([name, value]) => `${name} ${textOf(value)}`)
    .join(', ');

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ') || 'none';
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? 'none');
}
