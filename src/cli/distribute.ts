/** `pda distribute`: distributes the ledger and the clicks over the workers of a Citus cluster. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Database } from '../database/database.ts';
import {
  DEFAULT_SHARDS,
  type Distribution,
  distributeTables,
  MOST_SHARDS,
  planDistribution,
  readWorkers,
  removeCopies,
} from '../database/distribute.ts';
import { writeAlone } from '../import/write-lock.ts';
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
    .option('--json', 'print {"workers","shards","steps":[{"tables","state","says"}],"isDryRun"}')
    .action(({ dryRun: isDryRun = false, shards, json }: DistributeOptions) =>
      runCommand(
        async (database) => {
          const planned = await planDistribution(database, shards);
          if (command.getOptionValueSource('shards') === 'cli' && planned.shards !== shards) {
            throw new UsageError(
              `The ledger already has ${planned.shards} shards: leave out --shards. docs/scaling.md says how to change their number.`,
            );
          }
          if (!isDryRun && planned.steps.some(({ state }) => state === 'due')) {
            await writeAlone(database, false, (transaction) => distributeTables(transaction, planned));
            await removeCopies(database);
          }
          const report = isDryRun ? planned : await planDistribution(database, shards);
          say(json, { ...report, isDryRun }, describe(report, planned, isDryRun));
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
}

function readShards(text: string): number {
  const shards = Number(text);
  if (!/^\d{1,4}$/.test(text) || shards < 1 || shards > MOST_SHARDS) {
    throw new InvalidArgumentError(`Use a whole number from 1 to ${MOST_SHARDS}.`);
  }
  return shards;
}

function describe({ workers, steps }: Distribution, planned: Distribution, isDryRun: boolean): string {
  const wasDue = (says: string, tables: readonly string[]) =>
    planned.steps.some((step) => step.state === 'due' && step.says === says && step.tables.join() === tables.join());
  const words = { due: 'to do', done: 'done before', stays: 'stays' };
  const rows = steps.map(({ tables, state, says }) => [
    state === 'done' && wasDue(says, tables) ? 'done now' : words[state],
    tables.join(', ') || '-',
    says,
  ]);
  const head = isDryRun ? 'Dry run, nothing was changed.\n' : '';
  return `${head}${counted(workers.length, 'worker')}: ${workers.join(', ')}\n${tableOf(['state', 'tables', 'step'], rows)}`;
}
