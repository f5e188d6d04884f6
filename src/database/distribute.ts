/**
 * Distributes the tables that grow without end over the workers of a Citus cluster (docs/scaling.md). All others stay on the coordinator:
 * they fit one server for long, and the stream of changes keeps the order of its commits.
 */
import type { Queryable } from './database.ts';
import { DISTRIBUTED_TABLES, DISTRIBUTION_COLUMN } from './distribution.ts';

/** The database cannot be distributed; the message says what to do first. */
export class CannotDistribute extends Error {
  override name = 'CannotDistribute';
}

/** A part of the work, for the operator to read. */
export interface DistributionStep {
  tables: string[];
  /** Whether it has to be done, is done, or is nothing to do, because the tables stay on the coordinator. */
  state: 'due' | 'done' | 'stays';
  says: string;
}

export interface Distribution {
  /** The addresses of the servers that hold the shards. */
  workers: string[];
  /** The number of shards of each distributed table. */
  shards: number;
  steps: DistributionStep[];
}

/** The number of shards unless the operator chooses another: enough for 32 workers. */
export const DEFAULT_SHARDS = 32;
export const MOST_SHARDS = 1_024;

const OLDEST_CITUS = 13;

/** Why tables stay on the coordinator. */
const STAYING: readonly Omit<DistributionStep, 'state'>[] = [
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
  {
    tables: [],
    says: 'all others: no statement joins them with the ledger on a worker, so reference tables would only cost writes',
  },
];

/** Finds what is distributed and what is not. Changes nothing. @param shards the number for tables that have none yet. @throws {CannotDistribute} */
export async function planDistribution(database: Queryable, shards: number): Promise<Distribution> {
  const workers = await readWorkers(database);
  const tables = await database.query<TableRow>(TABLES, [DISTRIBUTED_TABLES]);
  const known = tables.find((table) => table.shards > 0)?.shards ?? shards;
  return { workers, shards: known, steps: [...tables.flatMap((table) => stepsOf(table, known)), ...staying()] };
}

const staying = () => STAYING.map((step): DistributionStep => ({ ...step, state: 'stays' }));

function stepsOf({ table, shards, bytes }: TableRow, planned: number): DistributionStep[] {
  const isDistributed = shards > 0;
  const steps: DistributionStep[] = [
    {
      tables: [table],
      state: isDistributed ? 'done' : 'due',
      says: `distributed by ${DISTRIBUTION_COLUMN} over ${planned} shards${table === 'ledger' ? '' : ', colocated with the ledger'}`,
    },
  ];
  const hasCopy = bytes > 0n;
  if (hasCopy || !isDistributed) {
    steps.push({ tables: [table], state: 'due', says: 'the copy that stays on the coordinator is removed' });
  }
  return steps;
}

/**
 * Distributes the tables that are not distributed yet. Run it in a transaction that has the lock of writers: an import would wait for it
 * in any case. Reads are served meanwhile.
 */
export async function distributeTables(transaction: Queryable, { shards }: Distribution): Promise<void> {
  const tables = await transaction.query<TableRow>(TABLES, [DISTRIBUTED_TABLES]);
  const isDistributed = (name: string) => tables.some(({ table, shards: count }) => table === name && count > 0);
  // The trigger of the ledger is copied to each shard, where it refuses changes as before. Citus calls triggers unsafe that read other rows.
  await transaction.query('SET LOCAL citus.enable_unsafe_triggers = on');
  if (!isDistributed('ledger')) {
    await transaction.query(
      `SELECT create_distributed_table('ledger', '${DISTRIBUTION_COLUMN}', shard_count => $1::int)`,
      [shards],
    );
  }
  if (!isDistributed('click')) {
    await transaction.script(PREPARE_CLICKS);
    await transaction.query(
      `SELECT create_distributed_table('click', '${DISTRIBUTION_COLUMN}', colocate_with => 'ledger')`,
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
      'The database has no Citus. Install it on the coordinator and the workers, and run CREATE EXTENSION citus in the database of each.',
    );
  }
  if (Number.parseInt(citus.version, 10) < OLDEST_CITUS) {
    throw new CannotDistribute(`Citus ${citus.version} is too old: upgrade all servers to ${OLDEST_CITUS} or newer.`);
  }
  const [node] = await database.query<{ isCoordinator: boolean }>('SELECT citus_is_coordinator() AS "isCoordinator"');
  if (!node?.isCoordinator) {
    throw new CannotDistribute('This server is a worker: set DATABASE_URL to the coordinator.');
  }
  const workers = await database.query<{ address: string }>(WORKERS);
  if (workers.length === 0) {
    throw new CannotDistribute(
      "The cluster has no worker. Add each with SELECT citus_add_node('host', 5432) on the coordinator, after SELECT citus_set_coordinator_host('host').",
    );
  }
  return workers.map(({ address }) => address);
}

interface TableRow {
  table: string;
  /** 0 if it is not distributed. */
  shards: number;
  /** On the coordinator itself. */
  bytes: bigint;
}

const WORKERS = `
  SELECT nodename || ':' || nodeport AS address
  FROM pg_catalog.pg_dist_node
  WHERE noderole = 'primary' AND isactive AND shouldhaveshards
  ORDER BY groupid`;

const TABLES = `
  SELECT name AS "table",
         (SELECT count(*)::int FROM pg_catalog.pg_dist_shard WHERE logicalrelid = name::regclass) AS shards,
         pg_relation_size(name::regclass) AS bytes
  FROM unnest($1::text[]) WITH ORDINALITY AS asked (name, place)
  ORDER BY place`;

// The key must have the product, and a row on a worker cannot refer to an offer on the coordinator. Offers are never deleted.
const PREPARE_CLICKS = `
  LOCK TABLE click IN SHARE ROW EXCLUSIVE MODE;
  UPDATE click SET product_id = offer.product_id FROM offer WHERE offer.id = click.offer_id AND click.product_id IS NULL;
  ALTER TABLE click DROP CONSTRAINT IF EXISTS click_offer_id_fkey;
  ALTER TABLE click DROP CONSTRAINT click_pkey;
  ALTER TABLE click ADD CONSTRAINT click_pkey PRIMARY KEY (${DISTRIBUTION_COLUMN}, offer_id, day)`;
