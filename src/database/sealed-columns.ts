/** The columns whose values are sealed before they are stored. */
import { hash } from 'node:crypto';
import { counted } from '../values/counted.ts';
import { shownUrl } from '../values/shown-url.ts';
import type { Database, Queryable } from './database.ts';
import { PREFIX, SecretUnreadable, type Vault, vaultOf } from './vault.ts';

/** A column whose values are sealed. */
export interface SealedColumn {
  table: string;
  column: string;
  /** Only values with this text are sealed; all by default. */
  only?: string;
  /** What is stored after a sealed value, to find it by or to show. */
  suffixOf?(text: string): string;
}

/** Where a value is stored. */
export const placeOf = ({ table, column }: SealedColumn, id: bigint): string => `${table}.${column}/${id}`;

/** A value of a column in its stored form. */
export function sealFor(vault: Vault, where: SealedColumn, id: bigint, text: string): string {
  const isOpen = vault.prefix === undefined || !text.includes(where.only ?? '');
  return isOpen ? text : vault.seal(text, placeOf(where, id)) + (where.suffixOf?.(text) ?? '');
}

/** The secrets that sign the messages of webhooks. */
export const WEBHOOK_SECRET: SealedColumn = { table: 'webhook', column: 'secret' };

/** The digest by which a report is found, after a colon: the fourth part of the stored token. */
export const reportDigestOf = (token: string): string => hash('sha256', token, 'hex');

/** The tokens in the addresses of shops' reports. */
export const REPORT_TOKEN: SealedColumn = {
  table: 'feed',
  column: 'report_token',
  suffixOf: (token) => `:${reportDigestOf(token)}`,
};

/** The addresses of feeds, whose queries may have credentials; in the form for lists after the third colon. */
export const FEED_URL: SealedColumn = {
  table: 'feed',
  column: 'url',
  only: '?',
  suffixOf: (url) => `:${shownUrl(url)}`,
};

const ALL = [WEBHOOK_SECRET, REPORT_TOKEN, FEED_URL];

/** Seals all stored values as the vault's key wants it. @returns the number of values that were changed. */
export async function sealStored(database: Database, vault: Vault = vaultOf(database)): Promise<number> {
  let changed = 0;
  for (const where of ALL) changed += await sealColumn(database, where, vault);
  return changed;
}

/** The number of values that should be sealed. */
export const countSealable = (database: Database): Promise<number> => countValues(database, isSealable);

/** The number of values that are not sealed under the present key; without a key, of those that are sealed. */
export const countStale = (database: Database): Promise<number> =>
  countValues(database, (where) => isStale(where, vaultOf(database)));

/** The number of values that cannot be read, because they were sealed under a key that the vault does not have. */
export const countUnreadable = (database: Database): Promise<number> =>
  countValues(database, ({ column }) =>
    [
      `starts_with(${column}, '${PREFIX}')`,
      ...vaultOf(database).prefixes.map((prefix) => `NOT starts_with(${column}, '${prefix}')`),
    ].join(' AND '),
  );

/** What to do about values that cannot be read. */
export const TO_READ_AGAIN =
  'Set the SECRET_KEY under which they were sealed, as SECRET_KEY_FORMER if it has changed since, or put back DATA_DIR/secret-key.';

/** How many values cannot be read, and what to do; `undefined` if all can. */
export async function unreadableSecrets(database: Database): Promise<string | undefined> {
  const count = await countUnreadable(database);
  return count === 0 ? undefined : `${counted(count, 'secret')} in the database cannot be read. ${TO_READ_AGAIN}`;
}

// A statement of a gateway must be short.
const STEP = 500;

/** Which values are not as the vault would store them. */
const isStale = (where: SealedColumn, { prefix }: Vault) =>
  prefix === undefined
    ? `starts_with(${where.column}, '${PREFIX}')`
    : `NOT starts_with(${where.column}, '${prefix}') AND ${isSealable(where)}`;

const isSealable = ({ column, only }: SealedColumn) =>
  only === undefined ? 'TRUE' : `(strpos(${column}, '${only}') > 0 OR starts_with(${column}, '${PREFIX}'))`;

async function countValues(database: Queryable, which: (where: SealedColumn) => string): Promise<number> {
  const counts = ALL.map((where) => `(SELECT count(*) FROM ${where.table} WHERE ${which(where)})`);
  const [row] = await database.query<{ count: number }>(`SELECT (${counts.join(' + ')})::int AS count`);
  return row?.count ?? 0;
}

/**
 * Seals what is stored in a column as the vault's key wants it: values that are not sealed yet, and those under former keys. In steps, and
 * values that cannot be read stay as they are.
 * @returns the number of values that were changed.
 */
async function sealColumn(database: Queryable, where: SealedColumn, vault: Vault): Promise<number> {
  const { table, column } = where;
  let changed = 0;
  for (let after = 0n; ; ) {
    const rows = await database.query<{ id: bigint; value: string }>(
      `SELECT id, ${column} AS value FROM ${table} WHERE id > $1::bigint AND ${isStale(where, vault)} ORDER BY id LIMIT ${STEP}`,
      [after],
    );
    const last = rows.at(-1);
    if (!last) return changed;
    after = last.id;
    const sealed = rows.flatMap((row) => {
      try {
        const text = vault.open(row.value, placeOf(where, row.id));
        return [{ ...row, becomes: sealFor(vault, where, row.id, text) }];
      } catch (error) {
        if (error instanceof SecretUnreadable) return []; // `pda doctor` reports it.
        throw error;
      }
    });
    const updated = await database.query(
      `UPDATE ${table} SET ${column} = sealed.becomes
       FROM unnest($1::bigint[], $2::text[], $3::text[]) AS sealed (id, was, becomes)
       WHERE ${table}.id = sealed.id AND ${table}.${column} = sealed.was
       RETURNING 1`,
      [sealed.map(({ id }) => id), sealed.map(({ value }) => value), sealed.map(({ becomes }) => becomes)],
    );
    changed += updated.length;
  }
}
