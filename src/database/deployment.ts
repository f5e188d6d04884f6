/** Identifies this installation among others that share resources with it. */
import { createHash } from 'node:crypto';
import type { Queryable } from './database.ts';

/** The random name given to the database when it was created. Its replicas and restored copies have the same name. */
export async function readDeployment(database: Queryable): Promise<string> {
  const [row] = await database.query<{ name: string }>('SELECT name FROM deployment');
  if (!row)
    throw new Error('The table deployment is empty. Restore it from a backup, or insert (1, gen_random_uuid()).');
  return row.name;
}

/** A prefix for this installation's keys in shared stores. A copy restored under another database name has another one. */
export async function readNamespace(database: Queryable): Promise<string> {
  const [row] = await database.query<{ name: string }>('SELECT current_database()::text AS name');
  const text = `${await readDeployment(database)} ${row?.name}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
