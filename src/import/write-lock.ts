/** Allows one writer of products and offers at a time: two that add the same product at once would not see each other's row. */
import type { Queryable } from '../database/database.ts';

const WRITE_LOCK = 4_006_381_333_932;

/** Waits until no other import or detachment writes, and holds the lock until the transaction ends. Lifts the statement timeout. */
export async function lockForWriting(transaction: Queryable): Promise<void> {
  await transaction.query('SET LOCAL statement_timeout = 0');
  await transaction.query('SELECT pg_advisory_xact_lock($1::bigint)', [WRITE_LOCK]);
}
