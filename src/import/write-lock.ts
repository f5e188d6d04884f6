/** One writer of products and offers at a time: two that make the same product at once would not see each other's. */
import type { Queryable } from '../database/database.ts';

const WRITE_LOCK = 4_006_381_333_932;

/** Waits until no other import or detachment writes; until the end of the transaction, which may take as long as it needs. */
export async function lockForWriting(transaction: Queryable): Promise<void> {
  await transaction.query('SET LOCAL statement_timeout = 0');
  await transaction.query('SELECT pg_advisory_xact_lock($1::bigint)', [WRITE_LOCK]);
}
