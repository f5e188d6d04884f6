/**
 * The PostgreSQL rights of each process, with least privilege: the server, imports and key administration have their own roles. The
 * owner of the tables is only used for migrations. Every table of the schema is listed here.
 */
import { TABLES_WITH_SEQUENCE } from '../generated/columns.ts';
import type { Queryable } from './database.ts';

/** The duties of roles; the owner has none of them. */
export const DUTIES = ['server', 'importer', 'keys'] as const;
export type Duty = (typeof DUTIES)[number];

/** The role names by duty, for the duties that have a role. */
export type RoleNames = Partial<Record<Duty, string>>;

/** A privilege on a table, as in `GRANT`; an update may be limited to columns. */
type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | `UPDATE (${string})`;

type TableGrants = Partial<Record<Duty, readonly Privilege[]>>;

const READ = ['SELECT'] as const;
const ADD_AND_CHANGE = ['SELECT', 'INSERT', 'UPDATE'] as const;
const CATALOGUE = { server: READ, importer: ADD_AND_CHANGE };
const CATALOGUE_WITH_DELETION = { server: READ, importer: [...ADD_AND_CHANGE, 'DELETE'] } as const;
const DERIVED = { server: ADD_AND_CHANGE };
const WEBHOOKS = { server: [...ADD_AND_CHANGE, 'DELETE'] } as const;
const KEYS = { server: READ, keys: ADD_AND_CHANGE };

/** The privileges of each duty on each table of the schema. */
export const TABLE_GRANTS: Readonly<Record<string, TableGrants>> = {
  _prisma_migrations: { server: READ, importer: READ, keys: READ },
  account_session: { server: [...ADD_AND_CHANGE, 'DELETE'] },
  aggregated_product: DERIVED,
  api_key: KEYS,
  api_key_secret: KEYS,
  article: CATALOGUE,
  // Operators add entries, on the command line or in the console, and none can change them.
  audit_event: { server: ['SELECT', 'INSERT'], importer: ['INSERT'], keys: ['SELECT', 'INSERT'] },
  brand: CATALOGUE,
  catalogue_version: { server: READ, importer: ['SELECT', 'UPDATE'] },
  category: CATALOGUE,
  // Imports add rows; gateways delete old ones.
  change: { server: ['SELECT', 'DELETE'], importer: ['SELECT', 'INSERT'] },
  click: { server: ADD_AND_CHANGE },
  // Operators who manage keys make links, and the server uses them up.
  console_link: { server: ['SELECT', 'DELETE'], keys: ['SELECT', 'INSERT', 'DELETE'] },
  console_form: { server: [...ADD_AND_CHANGE, 'DELETE'] },
  console_session: { server: [...ADD_AND_CHANGE, 'DELETE'], keys: ['SELECT', 'DELETE'] },
  // Derived from the ledger in the background.
  deal: { server: [...ADD_AND_CHANGE, 'DELETE'] },
  // Written once, by the owner.
  demo_key: { server: READ },
  deployment: { server: READ },
  // Imports add the products that changed, and gateways those whose outliers count from now on; gateways take them out when they refresh the
  // tables that derive from the ledger.
  due_product: { server: [...ADD_AND_CHANGE, 'DELETE'], importer: ADD_AND_CHANGE },
  // Operators and pulls have the importer's rights; the console runs, pauses and confirms feeds, but must not lead them elsewhere.
  feed: {
    server: ['SELECT', 'UPDATE (confirmed_at, next_run_at, paused_at)'],
    importer: [...ADD_AND_CHANGE, 'DELETE'],
  },
  feed_run: { server: READ, importer: [...ADD_AND_CHANGE, 'DELETE'] },
  // The console shows them.
  identifier_detachment: { server: READ, importer: ['SELECT', 'INSERT', 'DELETE'] },
  identifier_dispute: { server: READ, importer: [...ADD_AND_CHANGE, 'DELETE'] },
  import_failure: { server: READ, importer: ['INSERT'] },
  import_run: { server: READ, importer: ['SELECT', 'INSERT'] },
  // Entries are only ever added.
  invalidation: { server: READ, importer: ['SELECT', 'INSERT', 'DELETE'] },
  ledger: { server: READ, importer: ['SELECT', 'INSERT'] },
  merchant: CATALOGUE,
  merchant_click: { server: ADD_AND_CHANGE },
  merchant_distance: DERIVED,
  merchant_standing: DERIVED,
  offer: CATALOGUE,
  offer_seen: CATALOGUE,
  popular_product: CATALOGUE_WITH_DELETION,
  price_index_day: DERIVED,
  product: CATALOGUE,
  product_field: { server: READ, importer: ['SELECT', 'INSERT'] },
  product_identifier: CATALOGUE_WITH_DELETION,
  product_search: CATALOGUE,
  search_synonym: CATALOGUE_WITH_DELETION,
  search_word: CATALOGUE,
  traffic_day: { server: [...ADD_AND_CHANGE, 'DELETE'] },
  unfolded_name: { importer: ['SELECT', 'DELETE'] },
  upkeep: {},
  usage_counter: { server: ADD_AND_CHANGE, keys: READ },
  usage_journal: { server: [...ADD_AND_CHANGE, 'DELETE'] },
  webhook: WEBHOOKS,
  webhook_delivery: WEBHOOKS,
  webhook_position: { server: ['SELECT', 'UPDATE'] },
};

/** Functions of the database that processes call, by signature, and the duties that may call them. */
export const FUNCTION_GRANTS: Readonly<Record<string, readonly Duty[]>> = {
  'analyse_catalogue()': ['importer'],
  // Runs with the rights of its caller.
  'average_lowest(bigint)': ['importer'],
  // Runs with the rights of its caller. Databases whose defaults give PUBLIC no functions need the grant.
  'charge_newest(text,bigint[],bigint[],bigint[],boolean,integer)': ['server'],
  'clean_search_index()': ['importer'],
  'refresh_aged_figures(integer)': ['server'],
  // Without it, the server would need the right to write secrets, and could issue keys.
  'rotate_key(bigint,text,text,double precision,text,integer,integer)': ['server', 'keys'],
  // For the newest secret of a key only.
  'rotate_own_key(bigint,text,text,double precision,text,integer,integer)': ['server'],
};

/** Whether a role name is accepted: at most 63 lower-case letters, digits and underscores, which need no quoting. */
export const isRoleName = (text: string): boolean => /^[a-z_][a-z0-9_]{0,62}$/.test(text);

/**
 * The statements that give roles exactly the rights of their duties. They create missing roles without a password and revoke other
 * rights in the schema `public`. They are idempotent, and must be run by the owner of the database in one transaction.
 *
 * @throws {TypeError} for a name that fails {@link isRoleName}.
 */
export function roleStatements(roles: RoleNames): string[] {
  const given = DUTIES.flatMap((duty) => (roles[duty] === undefined ? [] : [[duty, roles[duty]] as const]));
  for (const [, role] of given) if (!isRoleName(role)) throw new TypeError(`${role} is not a valid role name.`);
  const names = [...new Set(given.map(([, role]) => role))];
  return [
    ONE_CONNECTION,
    ...names.map(makeRole),
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
    onThisDatabase('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC'),
    ...names.flatMap((role) => [
      `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`,
      `REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM ${role}`,
      `REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM ${role}`,
      `REVOKE ALL ON SCHEMA public FROM ${role}`,
      onThisDatabase(`REVOKE ALL ON DATABASE %I FROM ${role}`),
      `GRANT USAGE ON SCHEMA public TO ${role}`,
      onThisDatabase(`GRANT CONNECT ON DATABASE %I TO ${role}`),
    ]),
    ...given.flatMap(([duty, role]) => grants(duty, role)),
  ];
}

function grants(duty: Duty, role: string): string[] {
  const onTables = Object.entries(TABLE_GRANTS).flatMap(([table, { [duty]: privileges }]) =>
    privileges ? [`GRANT ${privileges.join(', ')} ON ${table} TO ${role}`] : [],
  );
  const onSequences = TABLES_WITH_SEQUENCE.filter((table) => TABLE_GRANTS[table]?.[duty]?.includes('INSERT')).map(
    (table) => `GRANT USAGE ON SEQUENCE ${table}_id_seq TO ${role}`,
  );
  const onFunctions = Object.entries(FUNCTION_GRANTS).flatMap(([signature, whose]) =>
    whose.includes(duty) ? [`GRANT EXECUTE ON FUNCTION ${signature} TO ${role}`] : [],
  );
  return [...onTables, ...onSequences, ...onFunctions, ...(duty === 'importer' ? roomForStaging(role) : [])];
}

/**
 * Gives the importer a schema for its staging tables. In `public`, other roles could mistake them for the service's tables. A schema
 * named after a role comes first in that role's search path only (PostgreSQL, "Schemas: Usage Patterns").
 */
function roomForStaging(role: string): string[] {
  return [
    `CREATE SCHEMA IF NOT EXISTS ${role}`,
    `GRANT USAGE, CREATE ON SCHEMA ${role} TO ${role}`,
    onThisDatabase(`GRANT TEMPORARY ON DATABASE %I TO ${role}`),
  ];
}

function makeRole(role: string): string {
  return (
    'DO $$ BEGIN ' +
    `IF current_user = '${role}' THEN RAISE EXCEPTION 'The role ${role} runs this command, so it is the owner: choose another role.'; END IF; ` +
    `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} LOGIN; END IF; ` +
    'END $$'
  );
}

// Citus changes distributed tables over several connections to each worker, after which it refuses a schema in the same transaction.
const ONE_CONNECTION =
  "DO $$ BEGIN IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN " +
  "PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', TRUE); END IF; END $$";

const onThisDatabase = (statement: string) => `DO $$ BEGIN EXECUTE format('${statement}', current_database()); END $$`;

/** The connected role lacks rights that the server needs. */
export class RightsMissing extends Error {
  override name = 'RightsMissing';
}

/** Checks that the current role has the rights that the server needs. @throws {RightsMissing} with a sentence for the operator. */
export async function requireServerRights(database: Queryable): Promise<void> {
  const lacking = await missingServerRights(database);
  if (lacking.length === 0) return;
  throw new RightsMissing(
    `The database role lacks rights on ${lacking.join(', ')}: run \`pda roles --apply\` with the DATABASE_URL of the owner.`,
  );
}

/** The tables and functions on which the current role lacks rights that the server needs; empty for the owner. */
export async function missingServerRights(database: Queryable): Promise<string[]> {
  const needed = Object.entries(TABLE_GRANTS).flatMap(([table, { server = [] }]) =>
    // Of some columns, any shows that the role has them.
    server.map((each) => ({ table, privilege: each.replace(/ \(.*/, ''), isPartial: each.includes('(') })),
  );
  const functions = Object.keys(FUNCTION_GRANTS).filter((signature) => FUNCTION_GRANTS[signature]?.includes('server'));
  const rows = await database.query<{ name: string }>(
    `SELECT needed.name
     FROM unnest($1::text[], $2::text[], $4::boolean[]) AS needed (name, privilege, is_partial)
     WHERE to_regclass(needed.name) IS NOT NULL
       AND NOT CASE
         WHEN needed.is_partial THEN has_any_column_privilege(to_regclass(needed.name), needed.privilege)
         ELSE has_table_privilege(to_regclass(needed.name), needed.privilege)
       END
     UNION
     SELECT name
     FROM unnest($3::text[]) AS needed (name)
     WHERE to_regprocedure(name) IS NOT NULL AND NOT has_function_privilege(to_regprocedure(name), 'EXECUTE')`,
    [
      needed.map(({ table }) => table),
      needed.map(({ privilege }) => privilege),
      functions,
      needed.map(({ isPartial }) => isPartial),
    ],
  );
  return rows.map(({ name }) => name).sort();
}
