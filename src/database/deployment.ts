/** What tells this installation from all others that share something with it. */
import { createHash } from 'node:crypto';
import type { Queryable } from './database.ts';

/** The random name that the database was given when it was made; its replicas have it too, and so have restored copies. */
export async function readDeployment(database: Queryable): Promise<string> {
  const [row] = await database.query<{ name: string }>('SELECT name FROM deployment');
  if (!row)
    throw new Error('The table deployment is empty: restore it from a backup, or insert (1, gen_random_uuid()).');
  return row.name;
}

/**
 * A short text that this installation's keys begin with where others keep theirs too. It differs for a copy that was restored
 * under another database name, as for a trial of it.
 */
export async function readNamespace(database: Queryable): Promise<string> {
  const [row] = await database.query<{ name: string }>('SELECT current_database()::text AS name');
  const text = `${await readDeployment(database)} ${row?.name}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
