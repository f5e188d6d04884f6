/**
 * Distributes the tables that grow without end over the workers of a Citus cluster (docs/scaling.md). All others stay on the coordinator:
 * they fit one server for long, and the stream of changes keeps the order of its commits.
 */
import { setTimeout } from 'node:timers/promises';
import { counted } from '../values/counted.ts';
import { type Database, type Queryable, sqlStateOf } from './database.ts';
import { DISTRIBUTED_TABLES, DISTRIBUTION_COLUMN, isCitusWorker } from './ledger-home.ts';

/** The database cannot be distributed; the message says what to do first. */
export class CannotDistribute extends Error {
  override name = 'CannotDistribute';
}

/** A part of the work, for the operator to read. */
export interface DistributionStep {
  tables: string[];
  /** Whether it has to be done, is done, or is nothing to do, because the tables stay on the coordinator. */
  state: 'due' | 'done' | 'stays';
  /** Whether it was done just now. */
  changed: boolean;
  says: string;
}

/** What is distributed, and what is to be done. */
export interface DistributionPlan {
  /** The addresses of the servers that hold the shards. */
  workers: string[];
  /** The number of shards of each distributed table. */
  shards: number;
  /** The size on the coordinator of what is to be distributed, with its indexes. */
  bytes: number;
  steps: DistributionStep[];
}

/** The number of shards unless the operator chooses another: it suits four to eight workers, and can fill 32. */
export const DEFAULT_SHARDS = 32;
/** Each shard costs every connection some memory, and statements on all products some time. */
export const MOST_SHARDS = 1_024;

const OLDEST_CITUS = 13;

/** Why tables stay on the coordinator. */
const STAYING: readonly Pick<DistributionStep, 'tables' | 'says'>[] = [
  {
    tables: ['product', 'offer', 'merchant', 'brand', 'category'],
    says: 'the catalogue, with all that finds products: 100 million of them fit one server',
  },
  {
    tables: ['change', 'invalidation', 'catalogue_version'],
    says: 'the stream of changes keeps the order of its commits',
  },
  {
    tables: ['api_key', 'api_key_secret', 'usage_counter', 'usage_journal'],
    says: 'a request is counted in one short transaction on one server',
  },
  { tables: ['audit_event'], says: 'its trigger, which refuses changes, must see every statement' },
];
const OTHERS = 'no statement joins them with the ledger on a worker, so reference tables would only cost writes';

/** Finds what is distributed and what is not. Changes nothing. @param shards the number for tables that have none yet. @throws {CannotDistribute} */
export async function planDistribution(database: Queryable, shards: number): Promise<DistributionPlan> {
  const workers = await readWorkers(database);
  const tables = await database.query<TableRow>(TABLES, [DISTRIBUTED_TABLES]);
  const known = tables.find((table) => table.shards > 0)?.shards ?? shards;
  const bytes = tables.reduce((sum, table) => sum + (table.shards > 0 ? 0 : Number(table.totalBytes)), 0);
  const steps = [...tables.flatMap((table) => stepsOf(table, known)), ...(await staying(database))];
  return { workers, shards: known, bytes, steps };
}

/** Whether a plan has something to do. */
export const isDue = ({ steps }: DistributionPlan): boolean => steps.some(({ state }) => state === 'due');

async function staying(database: Queryable): Promise<DistributionStep[]> {
  const named = [...DISTRIBUTED_TABLES, ...STAYING.flatMap(({ tables }) => tables)];
  const others = await database.query<{ name: string }>(OTHER_TABLES, [named]);
  const all = [...STAYING, { tables: others.map(({ name }) => name), says: OTHERS }];
  return all.map(({ tables, says }) => ({ tables, state: 'stays', changed: false, says }));
}

function stepsOf({ table, shards, bytes }: TableRow, planned: number): DistributionStep[] {
  const isDone = shards > 0;
  const step = (state: 'due' | 'done', says: string): DistributionStep => ({
    tables: [table],
    state,
    changed: false,
    says,
  });
  const place = table === FIRST ? '' : `, colocated with the ${FIRST}`;
  const distributed = step(
    isDone ? 'done' : 'due',
    `distributed by ${DISTRIBUTION_COLUMN} over ${counted(planned, 'shard')}${place}`,
  );
  if (isDone && bytes === 0n) return [distributed];
  return [distributed, step('due', 'the copy that stays on the coordinator is removed')];
}

const [FIRST] = DISTRIBUTED_TABLES;

/**
 * Removes the reference of the clicks to the offers, which a row on a worker cannot have. Offers are never deleted. This locks the offers too, so it is
 * not a part of {@link distributeTables}, and gives up its place in the queue of locks again and again: reads of offers wait for half a second at most.
 * @throws {CannotDistribute} after two minutes.
 */
export async function detachClicks(database: Database): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await database.transaction(async (transaction) => {
        await transaction.query("SET LOCAL lock_timeout = '500ms'");
        await transaction.script('ALTER TABLE click DROP CONSTRAINT IF EXISTS click_offer_id_fkey');
      });
      return;
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      if (tries === DETACH_TRIES) throw new CannotDistribute(IN_USE);
      await setTimeout(DETACH_PAUSE_MS);
    }
  }
}

const DETACH_TRIES = 80;
const DETACH_PAUSE_MS = 1_000;
const IN_USE =
  'Long transactions have used the offers or the clicks for two minutes, so nothing was changed. End them (pg_stat_activity lists them) or wait, and run this again.';
// SQLSTATE (PostgreSQL, Appendix A).
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Distributes the tables that are not distributed yet, after {@link detachClicks}. Run it in a transaction that has the lock of writers: an import would wait for it
 * in any case. Reads are served meanwhile.
 */
export async function distributeTables(transaction: Queryable, { shards }: DistributionPlan): Promise<void> {
  // Citus refuses triggers on distributed tables unless this is set. That of the ledger only refuses changes, so it is safe on each shard.
  await transaction.query('SET LOCAL citus.enable_unsafe_triggers = on');
  for (const { table, shards: existing } of await transaction.query<TableRow>(TABLES, [DISTRIBUTED_TABLES])) {
    if (existing > 0) continue;
    const prepare = PREPARE[table];
    if (prepare !== undefined) await transaction.script(prepare);
    const [option, value] = table === FIRST ? ['shard_count => $2::int', shards] : ['colocate_with => $2::text', FIRST];
    await transaction.query(
      `SELECT create_distributed_table($1::text::regclass, '${DISTRIBUTION_COLUMN}', ${option})`,
      [table, value],
    );
  }
}

/** Removes the rows that were copied to the shards from the coordinator, where nothing can read them any more. */
export async function removeCopies(database: Queryable): Promise<void> {
  for (const { table, shards, bytes } of await database.query<TableRow>(TABLES, [DISTRIBUTED_TABLES])) {
    if (shards > 0 && bytes > 0n) {
      await database.query('SELECT truncate_local_data_after_distributing_table($1::text::regclass)', [table]);
    }
  }
}

/** The addresses of the workers that can hold shards. @throws {CannotDistribute} for a database that is no coordinator with workers. */
export async function readWorkers(database: Queryable): Promise<string[]> {
  const [citus] = await database.query<{ version: string }>(
    "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
  );
  if (!citus) {
    throw new CannotDistribute(
      'The database has no Citus. Set DATABASE_URL to the coordinator of a Citus cluster: docs/scaling.md says under "Set it up" how to make one.',
    );
  }
  if (Number.parseInt(citus.version, 10) < OLDEST_CITUS) {
    throw new CannotDistribute(`Citus ${citus.version} is too old: upgrade all servers to ${OLDEST_CITUS} or newer.`);
  }
  if (await isCitusWorker(database)) {
    throw new CannotDistribute('This server is a worker of a Citus cluster: set DATABASE_URL to the coordinator.');
  }
  const workers = await database.query<{ address: string }>(WORKERS);
  if (workers.length === 0) {
    throw new CannotDistribute(
      "The cluster has no worker that may hold shards. Add each with SELECT citus_add_node('host', 5432) on the coordinator, after SELECT citus_set_coordinator_host('host').",
    );
  }
  return workers.map(({ address }) => address);
}

/** The addresses of the servers of the cluster that the coordinator or another of them cannot reach. */
export async function unreachableServers(database: Queryable): Promise<string[]> {
  const servers = await database.query<{ address: string }>(UNREACHABLE);
  return servers.map(({ address }) => address);
}

interface TableRow {
  table: (typeof DISTRIBUTED_TABLES)[number];
  /** 0 if it is not distributed. */
  shards: number;
  /** On the coordinator itself. */
  bytes: bigint;
  /** The same with its indexes. */
  totalBytes: bigint;
}

const WORKERS = `
  SELECT nodename || ':' || nodeport AS address
  FROM pg_catalog.pg_dist_node
  WHERE noderole = 'primary' AND isactive AND shouldhaveshards
  ORDER BY groupid`;

const TABLES = `
  SELECT name AS "table",
         (SELECT count(*)::int FROM pg_catalog.pg_dist_shard WHERE logicalrelid = name::regclass) AS shards,
         pg_relation_size(name::regclass) AS bytes,
         pg_total_relation_size(name::regclass) AS "totalBytes"
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (name, place)
  ORDER BY place`;

// The key must have the product.
const PREPARE: Partial<Record<TableRow['table'], string>> = {
  click: `
  LOCK TABLE click IN SHARE ROW EXCLUSIVE MODE;
  UPDATE click SET product_id = offer.product_id FROM offer WHERE offer.id = click.offer_id AND click.product_id IS NULL;
  ALTER TABLE click DROP CONSTRAINT click_pkey;
  ALTER TABLE click ADD CONSTRAINT click_pkey PRIMARY KEY (${DISTRIBUTION_COLUMN}, offer_id, day)`,
};

const OTHER_TABLES = `
  SELECT tablename AS name
  FROM pg_tables
  WHERE schemaname = current_schema() AND tablename <> ALL ($1::text[]) AND tablename !~ '^(_prisma|import_rows)'
  ORDER BY 1`;

// As the coordinator and the other workers see it. The result is NULL for all that a server that cannot be reached would have said.
const UNREACHABLE = `
  SELECT DISTINCT CASE
           WHEN result IS NULL THEN from_nodename || ':' || from_nodeport
           ELSE to_nodename || ':' || to_nodeport
         END AS address
  FROM citus_check_cluster_node_health()
  WHERE result IS NOT TRUE
  ORDER BY 1`;
