/** `pda keys`: manages API keys. */
import type { Command } from 'commander';
import {
  createKey,
  type IssuedKey,
  type KeyRecord,
  listKeys,
  revokeKey,
  rotateKey,
  showKey,
} from '../access/key-admin.ts';
import { type KeyTerms, setPlan, setTerms } from '../access/key-limits.ts';
import {
  parseGraceHours,
  parseLastDay,
  parseMonthlyQuota,
  parseRateLimit,
  stateOf,
  type Typed,
} from '../access/key-terms.ts';
import { PLAN_IDS, type PlanId } from '../access/plans.ts';
import { logAudit } from './audit.ts';
import { UsageError } from './exit.ts';
import { runCommand, runReading } from './run.ts';
import { examples, say, tableOf } from './terminal.ts';

interface JsonOption {
  json?: boolean;
}

export function addKeys(keys: Command): void {
  examples(keys, 'pda keys create --name "A client" --plan starter');

  const create = keys
    .command('create')
    .description('Create a key and print it. It is shown only once.')
    .requiredOption('--name <name>', 'owner of the key')
    .requiredOption('--plan <plan>', PLAN_IDS.join(', '), readPlan)
    .option('--rate-limit <requests>', "requests per minute, instead of the plan's", readRateLimit)
    .option('--quota <requests>', "requests per month, instead of the plan's; 0 is unlimited", readQuota)
    .option('--expires <day>', 'last day on which the key works, YYYY-MM-DD (UTC)', readLastDay)
    .option('--json', 'print {"id","key","plan","name"}')
    .action(({ name, plan, rateLimit, quota, expires, json }) =>
      runCommand(async (database, config) => {
        const key = { name, plan, rateLimit, monthlyQuota: quota, expiresAt: expires };
        const issued = await createKey(database, key);
        sayIssued(json, issued);
        await logAudit(config, 'key.create', issued.id);
      }),
    );
  examples(create, 'pda keys create --name "A client" --plan pro --rate-limit 1200 --expires 2030-12-31');

  const list = keys
    .command('list')
    .description('List all keys.')
    .option('--json', 'print a list')
    .action(({ json }: JsonOption) => runReading(async (database) => sayRecords(json, await listKeys(database))));
  examples(list, 'pda keys list --json');

  const show = keys
    .command('show <id>')
    .description('Show one key.')
    .option('--json', 'print an object')
    .action((id: string, { json }: JsonOption) =>
      runReading(async (database) => sayRecord(json, await showKey(database, id))),
    );
  examples(show, 'pda keys show key_1');

  const revoke = keys
    .command('revoke <id>')
    .description('Revoke a key. It stops working everywhere within five seconds.')
    .option('--json', 'print an object')
    .action((id: string, { json }: JsonOption) =>
      runCommand(async (database, config) => {
        sayRecord(json, await revokeKey(database, id));
        await logAudit(config, 'key.revoke', id);
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
        await logAudit(config, 'key.rotate', id);
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
        await logAudit(config, 'key.set-plan', id);
      }),
    );
  examples(change, 'pda keys set-plan key_1 enterprise');

  const limits = keys
    .command('set-limits <id>')
    .description('Change the limits of one key. Options that are left out change nothing.')
    .option('--rate-limit <requests>', 'requests per minute, or `plan` for those of its plan', orPlan(readRateLimit))
    .option('--quota <requests>', 'requests per month, 0 for unlimited, or `plan`', orPlan(readQuota))
    .option('--expires <day>', 'last day on which the key works, YYYY-MM-DD (UTC), or `never`', orNever(readLastDay))
    .option('--json', 'print an object')
    .action((id: string, { json, rateLimit, quota, expires }: LimitOptions) =>
      runCommand(async (database, config) => {
        const terms: KeyTerms = { rateLimit: rateLimit?.value, monthlyQuota: quota?.value, expiresAt: expires?.value };
        if (Object.values(terms).every((term) => term === undefined))
          throw new UsageError('The command names no limit: add --rate-limit, --quota or --expires.');
        sayRecord(json, await setTerms(database, id, terms));
        await logAudit(config, 'key.set-limits', id);
      }),
    );
  examples(limits, 'pda keys set-limits key_1 --rate-limit 1200 --quota plan --expires never');
}

interface LimitOptions extends JsonOption {
  rateLimit?: Limit<number>;
  quota?: Limit<number>;
  expires?: Limit<Date>;
}

/** A limit as it was given; null takes it away. In an object, because commander replaces a null. */
interface Limit<Value> {
  value: Value | null;
}

/** Reads a limit, or the word that takes it away. */
const orWord = <Value>(word: string, read: (text: string) => Value) => {
  return (text: string): Limit<Value> => ({ value: text === word ? null : read(text) });
};
const orPlan = <Value>(read: (text: string) => Value) => orWord('plan', read);
const orNever = <Value>(read: (text: string) => Value) => orWord('never', read);

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

function readPlan(text: string): PlanId {
  const plan = PLAN_IDS.find((id) => id === text);
  if (!plan) throw new UsageError(`No plan is named ${text}. Choose one of ${PLAN_IDS.join(', ')}.`);
  return plan;
}

/** The function that reads an option's value. */
const reader =
  <Value>(option: string, parse: (text: string) => Typed<Value>) =>
  (text: string): Value => {
    const typed = parse(text);
    if (typed.ok) return typed.value;
    throw new UsageError(`${option} ${typed.detail}`);
  };
const readRateLimit = reader('--rate-limit', parseRateLimit);
const readQuota = reader('--quota', parseMonthlyQuota);
const readHours = reader('--grace', parseGraceHours);
const readLastDay = reader('--expires', parseLastDay);
