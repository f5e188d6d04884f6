/** `pda keys`: manages API keys. */
import type { Command } from 'commander';
import {
  createKey,
  type IssuedKey,
  type KeyRecord,
  listKeys,
  revokeKey,
  rotateKey,
  setPlan,
  showKey,
} from '../access/key-admin.ts';
import { PLAN_IDS, type PlanId } from '../access/plans.ts';
import { DAY_MS, dayOf, isDay, startOfDay } from '../values/day.ts';
import { logAudit } from './audit.ts';
import { runCommand, UsageError } from './run.ts';
import { examples, say, tableOf } from './terminal.ts';

interface JsonOption {
  json?: boolean;
}

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('Create, show, change and revoke API keys.');
  examples(keys, 'pda keys create --name "A client" --plan starter');

  const create = keys
    .command('create')
    .description('Create a key and print it. It is shown only once.')
    .requiredOption('--name <name>', 'owner of the key')
    .requiredOption('--plan <plan>', PLAN_IDS.join(', '), readPlan)
    .option('--rate-limit <requests>', "requests per minute, instead of the plan's", readRateLimit)
    .option('--expires <day>', 'last day on which the key works, YYYY-MM-DD (UTC)', readLastDay)
    .option('--json', 'print {"id","key","plan","name"}')
    .action(({ name, plan, rateLimit, expires, json }) =>
      runCommand(async (database, config) => {
        const issued = await createKey(database, { name, plan, rateLimit, expiresAt: expires });
        sayIssued(json, issued);
        logAudit(config, 'key.create', issued.id);
      }),
    );
  examples(create, 'pda keys create --name "A client" --plan pro --rate-limit 1200 --expires 2030-12-31');

  const list = keys
    .command('list')
    .description('List all keys.')
    .option('--json', 'print a list')
    .action(({ json }: JsonOption) => runCommand(async (database) => sayRecords(json, await listKeys(database))));
  examples(list, 'pda keys list --json');

  const show = keys
    .command('show <id>')
    .description('Show one key.')
    .option('--json', 'print an object')
    .action((id: string, { json }: JsonOption) =>
      runCommand(async (database) => sayRecord(json, await showKey(database, id))),
    );
  examples(show, 'pda keys show key_1');

  const revoke = keys
    .command('revoke <id>')
    .description('Revoke a key. It stops working everywhere within five seconds.')
    .option('--json', 'print an object')
    .action((id: string, { json }: JsonOption) =>
      runCommand(async (database, config) => {
        sayRecord(json, await revokeKey(database, id));
        logAudit(config, 'key.revoke', id);
      }),
    );
  examples(revoke, 'pda keys revoke key_1');

  const rotate = keys
    .command('rotate <id>')
    .description('Replace the secret of a key. The old one keeps working for a while; plan and usage stay.')
    .option('--grace <hours>', 'how long the old secret keeps working', readHours, 24)
    .option('--json', 'print {"id","key","plan","name"}')
    .action((id: string, { grace, json }: JsonOption & { grace: number }) =>
      runCommand(async (database, config) => {
        sayIssued(json, await rotateKey(database, id, grace));
        logAudit(config, 'key.rotate', id);
      }),
    );
  examples(rotate, 'pda keys rotate key_1 --grace 48');

  const change = keys
    .command('set-plan <id> <plan>')
    .description(`Move a key to another plan: ${PLAN_IDS.join(', ')}.`)
    .option('--json', 'print an object')
    .action((id: string, plan: string, { json }: JsonOption) =>
      runCommand(async (database, config) => {
        sayRecord(json, await setPlan(database, id, readPlan(plan)));
        logAudit(config, 'key.set-plan', id);
      }),
    );
  examples(change, 'pda keys set-plan key_1 enterprise');
}

function sayIssued(json: boolean | undefined, issued: IssuedKey): void {
  const { id, key, plan, name } = issued;
  say(json, issued, `${key}\n\nThis is key ${id} for ${name}, plan ${plan}. Store it now: it is shown only once.\n`);
}

function sayRecords(json: boolean | undefined, records: readonly KeyRecord[]): void {
  const rows = records.map((key) => [key.id, key.name, key.plan, key.prefixes.join(' '), stateOf(key)]);
  say(json, records, tableOf(['id', 'name', 'plan', 'starts with', 'state'], rows));
}

function sayRecord(json: boolean | undefined, record: KeyRecord): void {
  const rows = Object.entries(record).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : String(value),
  ]);
  say(json, record, tableOf([], rows));
}

function stateOf({ revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt) return `revoked ${dayOf(revokedAt.getTime())}`;
  if (!expiresAt) return 'works';
  const end = expiresAt.getTime();
  // Shows the last day on which the key works, as in --expires; expiresAt is the midnight after it.
  return `${end <= Date.now() ? 'expired' : 'until'} ${dayOf(end - 1)}`;
}

function readPlan(text: string): PlanId {
  const plan = PLAN_IDS.find((id) => id === text);
  if (!plan) throw new UsageError(`No plan is named ${text}. Choose one of ${PLAN_IDS.join(', ')}.`);
  return plan;
}

function readRateLimit(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`--rate-limit must be a whole number from 1 to 999999999; got ${text}.`);
  return Number(text);
}

function readHours(text: string): number {
  const hours = Number(text);
  if (text.trim() === '' || !(hours >= 0 && hours <= 8_760))
    throw new UsageError(`--grace must be a number of hours from 0 to 8760; got ${text}.`);
  return hours;
}

/** Reads the last day on which a key works, and returns the midnight (UTC) after it. */
function readLastDay(text: string): Date {
  if (!isDay(text)) throw new UsageError(`--expires must be a day such as 2030-12-31; got ${text}.`);
  const end = startOfDay(text) + DAY_MS;
  if (end <= Date.now())
    throw new UsageError(`--expires ${text} is in the past. Give the last day on which the key should work.`);
  return new Date(end);
}
