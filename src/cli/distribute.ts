/** `pda distribute`: distributes the ledger and the clicks over the workers of a Citus cluster. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Database, Queryable } from '../database/database.ts';
import {
  CannotDistribute,
  DEFAULT_SHARDS,
  type DistributionPlan,
  detachClicks,
  distributeTables,
  isDue,
  MOST_SHARDS,
  planDistribution,
  readWorkers,
  removeCopies,
  unreachableServers,
} from '../database/distribute.ts';
import { writeAlone } from '../import/write-lock.ts';
import { wholeMebibytes } from '../values/byte-size.ts';
import { counted } from '../values/counted.ts';
import { UsageError } from './exit.ts';
import { runCommand } from './run.ts';
import { session } from './session.ts';
import { examples, say, tableOf } from './terminal.ts';

interface DistributeOptions {
  dryRun?: boolean;
  shards: number;
  json?: boolean;
}

/** Adds `pda distribute` to the commands. */
export function addDistribute(command: Command): void {
  command
    .option('--dry-run', 'explain each step without changing anything')
    .option(
      '--shards <number>',
      `shards of each table, 1 to ${MOST_SHARDS}; at least as many as workers`,
      readShards,
      DEFAULT_SHARDS,
    )
    .option(
      '--json',
      'print {"workers","shards","bytes","steps":[{"tables","state","changed","says"}],"isDryRun"}; state is due, done or stays',
    )
    .action(({ dryRun: isDryRun = false, shards, json }: DistributeOptions) =>
      runCommand(
        async (database) => {
          const isChosen = command.getOptionValueSource('shards') === 'cli';
          const plan = async (current: Queryable) =>
            checked(await planDistribution(current, shards), isChosen ? shards : undefined);
          const report = isDryRun ? await plan(database) : await distribute(database, plan);
          say(json, { ...report, isDryRun }, describe(report, isDryRun));
        },
        { isReading: isDryRun, examine: refuseOthers },
      ),
    );
  examples(command, 'pda distribute --dry-run', 'pda distribute --shards 64');
}

// Before the migrations: a worker gets its tables from the coordinator, and must not be given any by them.
async function refuseOthers(database: Database): Promise<void> {
  await readWorkers(database);
  const [lost, ...others] = await unreachableServers(database);
  if (lost === undefined) return;
  throw new CannotDistribute(
    `${[lost, ...others].join(', ')} of the cluster cannot be reached, so nothing was changed. Start it, or replace it from its standby, and run this again.`,
  );
}

/** Refuses a number of shards that the ledger has not, or that leaves workers without one. @param chosen by the operator, if any. */
function checked(plan: DistributionPlan, chosen: number | undefined): DistributionPlan {
  const { shards, workers } = plan;
  if (chosen !== undefined && shards !== chosen) {
    throw new UsageError(
      `The ledger already has ${counted(shards, 'shard')}: leave out --shards. docs/scaling.md says under "Set it up" how to change their number.`,
    );
  }
  if (isDue(plan) && shards < workers.length) {
    throw new UsageError(
      `${workers.length} workers need at least ${workers.length} shards: raise --shards, or remove workers.`,
    );
  }
  return plan;
}

/** Does what is due, unless another run has done it meanwhile. @returns what is distributed now, and what was done. */
async function distribute(
  database: Database,
  plan: (database: Queryable) => Promise<DistributionPlan>,
): Promise<DistributionPlan> {
  const planned = await plan(database);
  if (!isDue(planned)) return planned;
  session().stderr.write(
    `Waiting for running imports, then copying about ${wholeMebibytes(planned.bytes)} to the workers. New imports wait.\n`,
  );
  await detachClicks(database);
  const found = await writeAlone(database, false, async (transaction) => {
    const current = await plan(transaction);
    await distributeTables(transaction, current);
    return current;
  });
  session().stderr.write('Removing the copy on the coordinator.\n');
  await removeCopies(database);
  const steps = found.steps.map((step) =>
    step.state === 'due' ? { ...step, state: 'done' as const, changed: true } : step,
  );
  return { ...found, steps };
}

function readShards(text: string): number {
  const shards = Number(text);
  if (!/^\d{1,4}$/.test(text) || shards < 1 || shards > MOST_SHARDS) {
    throw new InvalidArgumentError(`Use a whole number from 1 to ${MOST_SHARDS}.`);
  }
  return shards;
}

// More names would make the table wider than any terminal. `--json` has all.
const MOST_NAMED = 8;

function describe(plan: DistributionPlan, isDryRun: boolean): string {
  const { workers, bytes, steps } = plan;
  const words = { due: 'to do', done: 'done before', stays: 'stays' };
  const rows = steps.map(({ tables, state, changed, says }) => [
    changed ? 'done now' : words[state],
    tables.length > MOST_NAMED ? `${tables.length} others` : tables.join(', '),
    says,
  ]);
  const head = isDryRun ? 'Dry run, nothing was changed.\n' : '';
  const next =
    isDryRun && isDue(plan)
      ? `\nRun \`pda distribute\` without --dry-run to copy about ${wholeMebibytes(bytes)} to the workers. Imports wait meanwhile; requests do not.\n`
      : '';
  return `${head}${counted(workers.length, 'Citus worker')}: ${workers.join(', ')}\n${tableOf(['state', 'tables', 'step'], rows)}${next}`;
}
