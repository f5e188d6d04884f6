/** Allows one writer of products and offers at a time: two that add the same product at once would not see each other's row. */
import type { Database, Queryable } from '../database/database.ts';
import { CREATE_TOUCHED } from './figures.ts';
import { soleValue } from './sole-value.ts';
import { CREATE_NOTED } from './stream.ts';

// A connection for requests has less, and would sort on disk.
const ROOM_TO_SORT =
  "SELECT set_config('work_mem', '32MB', TRUE) WHERE pg_size_bytes(current_setting('work_mem')) < pg_size_bytes('32MB')";

const WRITE_LOCK = 4_006_381_333_932;
const TRY_LOCK = 'SELECT pg_try_advisory_xact_lock($1::bigint) AS locked';

/** Something else writes products and offers now. */
export class WriterBusy extends Error {
  override name = 'WriterBusy';

  constructor() {
    super('An import is running, so nothing was done: try again when it has finished.');
  }
}

/**
 * Runs `work` in a transaction without a statement timeout, once no other import or detachment writes. A dry run is rolled back.
 * @param isPatient false for work that somebody is looking at: it does not wait for others.
 * @throws {WriterBusy} when others write, unless it is patient.
 */
export async function writeAlone<Result>(
  database: Database,
  isDryRun: boolean,
  work: (transaction: Queryable) => Promise<Result>,
  isPatient = true,
): Promise<Result> {
  return inTransaction(database, isDryRun, async (transaction) => {
    await transaction.query(ROOM_TO_SORT);
    if (isPatient) await transaction.query('SELECT pg_advisory_xact_lock($1::bigint)', [WRITE_LOCK]);
    else if (!(await soleValue<boolean>(transaction, TRY_LOCK, [WRITE_LOCK]))) throw new WriterBusy();
    await transaction.script(`${CREATE_NOTED}; ${CREATE_TOUCHED}`);
    return work(transaction);
  });
}

/** Runs `work` in a transaction. A dry run is rolled back. */
export async function inTransaction<Result>(
  database: Database,
  isDryRun: boolean,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  let result: { value: Result } | undefined;
  try {
    await database.transaction(
      async (transaction) => {
        result = { value: await work(transaction) };
        if (isDryRun) throw new DryRun();
      },
      { isLong: true },
    );
  } catch (error) {
    if (!(error instanceof DryRun)) throw error;
  }
  if (!result) throw new Error('The transaction ended without a result.');
  return result.value;
}

class DryRun extends Error {}
