/**
 * What each process may do in PostgreSQL, least privilege each: the server, imports, and the administration of keys have roles
 * of their own, and the owner of the tables, who migrates, serves nobody. Every table of the schema stands here once.
 */
import type { Queryable } from './database.ts';

/** The duties that a role can have; the owner is not among them. */
export const DUTIES = ['server', 'importer', 'keys'] as const;
export type Duty = (typeof DUTIES)[number];

/** The name of the role for each duty that there is a role for. */
export type RoleNames = Partial<Record<Duty, string>>;

/** A right on a table, as `GRANT` names it. */
export type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

type TableGrants = Partial<Record<Duty, readonly Privilege[]>>;

const READ = ['SELECT'] as const;
const ADD_AND_CHANGE = ['SELECT', 'INSERT', 'UPDATE'] as const;
const CATALOGUE = { server: READ, importer: ADD_AND_CHANGE };
const CATALOGUE_WITH_DELETION = { server: READ, importer: [...ADD_AND_CHANGE, 'DELETE'] } as const;
const KEYS = { server: READ, keys: ADD_AND_CHANGE };

/** Each table of the schema, and what each duty may do with it. */
export const TABLE_GRANTS: Readonly<Record<string, TableGrants>> = {
  _prisma_migrations: { server: READ, importer: READ, keys: READ },
  api_key: KEYS,
  api_key_secret: KEYS,
  article: CATALOGUE,
  // What operators do is recorded, whichever duty they have, and nobody changes it.
  audit_event: { importer: ['INSERT'], keys: ['SELECT', 'INSERT'] },
  brand: CATALOGUE,
  catalogue_version: { server: READ, importer: ['SELECT', 'UPDATE'] },
  category: CATALOGUE,
  click: { server: ADD_AND_CHANGE },
  deployment: { server: READ },
  identifier_detachment: { importer: ['SELECT', 'INSERT', 'DELETE'] },
  identifier_dispute: { importer: [...ADD_AND_CHANGE, 'DELETE'] },
  import_failure: { server: READ, importer: ['INSERT'] },
  import_run: { server: READ, importer: ['SELECT', 'INSERT'] },
  merchant: CATALOGUE,
  offer: CATALOGUE,
  popular_product: CATALOGUE_WITH_DELETION,
  price_change: CATALOGUE_WITH_DELETION,
  price_event: CATALOGUE_WITH_DELETION,
  product: CATALOGUE,
  product_field: { importer: ['SELECT', 'INSERT'] },
  product_identifier: CATALOGUE_WITH_DELETION,
  product_search: CATALOGUE,
  search_word: CATALOGUE,
  upkeep: {},
  usage_counter: { server: ADD_AND_CHANGE, keys: READ },
  usage_journal: { server: [...ADD_AND_CHANGE, 'DELETE'] },
};

/** The sequences behind the ids, by the table whose rows take them: who adds rows draws from them. */
const TABLES_WITH_SEQUENCE = [
  'api_key',
  'api_key_secret',
  'article',
  'audit_event',
  'brand',
  'category',
  'identifier_detachment',
  'import_failure',
  'import_run',
  'merchant',
  'offer',
  'product',
  'product_identifier',
];

/** Functions of the schema that run as its owner, with the types of their arguments, and who may call them. */
export const FUNCTION_GRANTS: Readonly<Record<string, Duty>> = {
  'analyse_catalogue()': 'importer',
  'clean_search_index()': 'importer',
  'refresh_aged_figures(integer)': 'server',
};

// PostgreSQL takes more; these need no quoting where they are typed.
const ROLE_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** True for a name that a role may have here: lower-case letters, digits and underscores, 63 at most. */
export function isRoleName(text: string): boolean {
  return ROLE_NAME.test(text);
}

/**
 * The statements that give roles exactly the rights of their duties: roles that are not there are made, without a password, and
 * what they had beyond their duties in the schema `public` is taken from them. Run again, they change nothing. For the owner
 * of the database, all in one transaction.
 *
 * @throws {TypeError} for a name that is not {@link isRoleName}.
 */
export function roleStatements(roles: RoleNames): string[] {
  const given = DUTIES.flatMap((duty) => (roles[duty] === undefined ? [] : [[duty, roles[duty]] as const]));
  for (const [, role] of given) if (!isRoleName(role)) throw new TypeError(`${role} is not a name for a role.`);
  const names = [...new Set(given.map(([, role]) => role))];
  return [
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
    privileges === undefined ? [] : [`GRANT ${privileges.join(', ')} ON ${table} TO ${role}`],
  );
  const onSequences = TABLES_WITH_SEQUENCE.filter((table) => TABLE_GRANTS[table]?.[duty]?.includes('INSERT')).map(
    (table) => `GRANT USAGE ON SEQUENCE ${table}_id_seq TO ${role}`,
  );
  const onFunctions = Object.entries(FUNCTION_GRANTS).flatMap(([signature, whose]) =>
    whose === duty ? [`GRANT EXECUTE ON FUNCTION ${signature} TO ${role}`] : [],
  );
  return [...onTables, ...onSequences, ...onFunctions, ...(duty === 'importer' ? roomForStaging(role) : [])];
}

/**
 * The importer makes tables. Not in `public`, where others would take what it makes for the service's own: a schema that is
 * called as its role comes first in that role's search path and in nobody else's (PostgreSQL, "Schemas: Usage Patterns").
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
    `IF current_user = '${role}' THEN RAISE EXCEPTION 'The role ${role} runs this, so it is the owner: name another.'; END IF; ` +
    `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN CREATE ROLE ${role} LOGIN; END IF; ` +
    'END $$'
  );
}

function onThisDatabase(statement: string): string {
  return `DO $$ BEGIN EXECUTE format('${statement}', current_database()); END $$`;
}

/** The role that is connected may not do what the server does. */
export class RightsMissing extends Error {
  override name = 'RightsMissing';
}

/** Makes sure that the current role may do what the server does. @throws {RightsMissing} with a sentence for the operator. */
export async function requireServerRights(database: Queryable): Promise<void> {
  const lacking = await missingServerRights(database);
  if (lacking.length === 0) return;
  throw new RightsMissing(
    `The database role lacks rights on ${lacking.join(', ')}: run \`pda roles --apply\` with the DATABASE_URL of the owner.`,
  );
}

/** The tables and functions on which the current role lacks rights that the server needs; none for the owner. */
export async function missingServerRights(database: Queryable): Promise<string[]> {
  const needed = Object.entries(TABLE_GRANTS).flatMap(([table, { server = [] }]) =>
    server.map((privilege) => ({ table, privilege })),
  );
  const functions = Object.keys(FUNCTION_GRANTS).filter((signature) => FUNCTION_GRANTS[signature] === 'server');
  const rows = await database.query<{ name: string }>(
    `SELECT needed.name
     FROM unnest($1::text[], $2::text[]) AS needed (name, privilege)
     WHERE to_regclass(needed.name) IS NOT NULL AND NOT has_table_privilege(to_regclass(needed.name), needed.privilege)
     UNION
     SELECT name
     FROM unnest($3::text[]) AS needed (name)
     WHERE to_regprocedure(name) IS NOT NULL AND NOT has_function_privilege(to_regprocedure(name), 'EXECUTE')
     ORDER BY name`,
    [needed.map(({ table }) => table), needed.map(({ privilege }) => privilege), functions],
  );
  return rows.map(({ name }) => name);
}
