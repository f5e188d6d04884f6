/** `pda distribute`: distributes the ledger and the clicks over the workers of a Citus cluster. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Database } from '../database/database.ts';
import {
  CannotDistribute,
  DEFAULT_SHARDS,
  type DistributionPlan,
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
import { runCommand, UsageError } from './run.ts';
import { examples, say, tableOf } from './terminal.ts';

interface DistributeOptions {
  dryRun?: boolean;
  shards: number;
  json?: boolean;
}

/** Adds `pda distribute` to the commands. */
export function addDistribute(program: Command): void {
  const command = program
    .command('distribute')
    .description(
      'Distribute the ledger and the clicks over the workers of a Citus cluster, by product. Run it on the coordinator, also while the service runs; imports wait for it.',
    )
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
          const planned = await planDistribution(database, shards);
          if (command.getOptionValueSource('shards') === 'cli' && planned.shards !== shards) {
            throw new UsageError(
              `The ledger already has ${planned.shards} shards: leave out --shards. docs/scaling.md says how to change their number.`,
            );
          }
          refuseFew(planned);
          const report = isDryRun ? planned : await distribute(database, planned);
          say(json, { ...report, isDryRun }, describe(report, isDryRun));
        },
        { isDry: isDryRun, examine: refuseOthers },
      ),
    );
  examples(command, 'pda distribute --dry-run', 'pda distribute --shards 64');
}

// Before the migrations: a worker gets its tables from the coordinator, and must not be given any by them.
async function refuseOthers(database: Database): Promise<void> {
  if (database.description.startsWith('embedded')) {
    throw new UsageError(
      'The embedded database runs on one machine. Set DATABASE_URL to the coordinator of a Citus cluster.',
    );
  }
  await readWorkers(database);
  const [lost, ...others] = await unreachableServers(database);
  if (lost === undefined) return;
  throw new CannotDistribute(
    `${[lost, ...others].join(', ')} of the cluster cannot be reached, so nothing was changed. Start it, or replace it from its standby, and run this again.`,
  );
}

function refuseFew(planned: DistributionPlan): void {
  const { shards, workers } = planned;
  if (!isDue(planned) || shards >= workers.length) return;
  throw new UsageError(
    `${workers.length} workers need at least ${workers.length} shards: raise --shards, or remove workers.`,
  );
}

/** Does what is due. @returns the plan with all of it done. */
async function distribute(database: Database, planned: DistributionPlan): Promise<DistributionPlan> {
  if (!isDue(planned)) return planned;
  process.stderr.write(
    `Waiting for running imports, then copying about ${wholeMebibytes(planned.bytes)} to the workers. New imports wait.\n`,
  );
  await writeAlone(database, false, (transaction) => distributeTables(transaction, planned));
  process.stderr.write('Removing the copy on the coordinator.\n');
  await removeCopies(database);
  const steps = planned.steps.map((step) =>
    step.state === 'due' ? { ...step, state: 'done' as const, changed: true } : step,
  );
  return { ...planned, steps };
}

function readShards(text: string): number {
  const shards = Number(text);
  if (!/^\d{1,4}$/.test(text) || shards < 1 || shards > MOST_SHARDS) {
    throw new InvalidArgumentError(`Use a whole number from 1 to ${MOST_SHARDS}.`);
  }
  return shards;
}

function describe(plan: DistributionPlan, isDryRun: boolean): string {
  const { workers, bytes, steps } = plan;
  const words = { due: 'to do', done: 'done before', stays: 'stays' };
  const rows = steps.map(({ tables, state, changed, says }) => [
    changed ? 'done now' : words[state],
    tables.join(', '),
    says,
  ]);
  const head = isDryRun ? 'Dry run, nothing was changed.\n' : '';
  const next =
    isDryRun && isDue(plan)
      ? `\nRun \`pda distribute\` without --dry-run to copy about ${wholeMebibytes(bytes)} to the workers. Imports wait meanwhile; requests do not.\n`
      : '';
  return `${head}${counted(workers.length, 'Citus worker')}: ${workers.join(', ')}\n${tableOf(['state', 'tables', 'step'], rows)}${next}`;
}
