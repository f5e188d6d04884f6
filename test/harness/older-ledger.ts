/** Lets a test leave entries in the ledger as older versions did, although no role may change them. */
import type { Database } from '../../src/database/database.ts';

/** Disables the trigger that refuses changes of the ledger, also on the shards of a distributed one. */
export async function allowChangesOfLedger(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('SET LOCAL citus.enable_unsafe_triggers = on');
    await transaction.query('ALTER TABLE ledger DISABLE TRIGGER USER');
  });
}
