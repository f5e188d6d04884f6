/**
 * Writes that take effect exactly once, even if their answer is lost: each statement of a meter also writes its number and outcome into
 * the meter's row of the journal. A meter that lost its connection before the answer reads the outcome there. The row's place also shows
 * whether a long transaction makes the database keep old versions of rows.
 */
import { randomUUID } from 'node:crypto';
import { isUndecided, type Queryable, type QueryOptions } from '../database/database.ts';

/** The requests that a statement granted to a key. */
export interface Grant {
  key_id: bigint;
  /** Requests used in the month, including these. */
  used: bigint;
  granted: bigint;
}

/**
 * Makes a statement that also records its outcome in the journal. A last row without a key has the page of the journal's row in `used`:
 * a column of its own would slow down every row.
 *
 * @param sql changes counters, and returns the columns of {@link Grant}.
 * @param firstFree the number of its first free parameter.
 */
export function journalled(sql: string, firstFree: number): string {
  // A statement that arrives after its outcome was settled violates the NOT NULL constraint, so it fails and its counts are rolled back.
  return `
  WITH counted AS (${sql}),
  journalled AS (
    INSERT INTO usage_journal AS last (meter_id, number, committed, day, granted)
    SELECT $${firstFree}::uuid, $${firstFree + 1}::bigint, $${firstFree + 1}::bigint, CURRENT_DATE,
           COALESCE(array_agg(granted::int ORDER BY key_id), '{}')
    FROM counted
    ON CONFLICT (meter_id) DO UPDATE
    SET number = CASE WHEN last.number < excluded.number THEN excluded.number END,
        committed = excluded.committed,
        day = excluded.day,
        granted = excluded.granted
    RETURNING ctid
  )
  SELECT key_id, used, granted FROM counted
  UNION ALL
  SELECT NULL, (ctid::text::point)[0]::bigint, NULL FROM journalled`;
}

// Waits for a statement that holds the row, since it is about to commit, and makes one that arrives later fail.
const SETTLE = `
  INSERT INTO usage_journal AS last (meter_id, number, committed, day, granted)
  VALUES ($1::uuid, $2::bigint, 0, CURRENT_DATE, '{}')
  ON CONFLICT (meter_id) DO UPDATE
  SET number = GREATEST(last.number, excluded.number)
  RETURNING committed, granted`;

const FORGET = `
  DELETE FROM usage_journal
  WHERE meter_id = ANY ($1::uuid[])`;

// Also deletes the rows of killed meters: no statement stays in doubt for a month.
const CLOSE = `
  DELETE FROM usage_journal
  WHERE meter_id = ANY ($1::uuid[]) OR day < CURRENT_DATE - 31`;

// PostgreSQL reuses the room of old versions, so a row usually leaves its page only while old versions are kept. Beside a long transaction
// that takes about 80 writes, or fewer if they grant to many keys or meters share the page, so this number bridges the time between moves.
const WRITES_AFTER_MOVE = 500;
const ROWS_TO_FORGET_AT_ONCE = 20;

/** Opens a new journal over a database. */
export function openJournal(database: Queryable) {
  /** The present row. A meter has a new one whenever its row has moved. */
  let id = randomUUID();
  let number = 0;
  let isInDoubt = false;
  let lastKeyIds: readonly bigint[] = [];
  /** The page of the journal's row; unknown before its first write. */
  let page: bigint | undefined;
  let movedAt = Number.NEGATIVE_INFINITY;
  /** Whether a statement of the row was given up. It may still arrive, and must then find the row. */
  let isAwaited = false;
  const formerRows: string[] = [];
  let forgetting: Promise<void> | undefined;

  const notePage = (now: bigint | undefined) => {
    if (page === undefined || page === now) page = now;
    else beginRow();
  };

  /** Continues in a new row, since each write of the present one passes the old versions that the database keeps. */
  const beginRow = () => {
    movedAt = number;
    if (!isAwaited) formerRows.push(id);
    id = randomUUID();
    page = undefined;
    isAwaited = false;
    if (formerRows.length >= ROWS_TO_FORGET_AT_ONCE) forgetting ??= forgetRows();
  };

  const forgetRows = async () => {
    const ids = formerRows.splice(0);
    await database.query(FORGET, [ids], { name: 'journal_forget', isRepeatable: true }).catch(() => {
      formerRows.push(...ids); // The next move, or the end, deletes them.
    });
    forgetting = undefined;
  };

  return {
    /** True while it is unknown whether the last statement was committed. */
    isInDoubt: () => isInDoubt,
    /** Whether the row has left its page lately. The database then keeps old versions of rows, and statements should not pass them. */
    hasMovedLately: () => number - movedAt < WRITES_AFTER_MOVE,
    /**
     * Runs a statement made with {@link journalled}. Run one at a time, and none while one is in doubt.
     *
     * @param keyIds the keys whose counters it changes.
     * @throws the database's error; the statement is then in doubt if it may have been committed.
     */
    async write(
      sql: string,
      keyIds: readonly bigint[],
      parameters: readonly unknown[],
      options?: QueryOptions,
    ): Promise<Grant[]> {
      number += 1;
      lastKeyIds = keyIds;
      try {
        const rows = await database.query<Grant>(sql, [...parameters, id, number], options);
        notePage(rows.pop()?.used);
        return rows;
      } catch (error) {
        isInDoubt = isUndecided(error);
        throw error;
      }
    },
    /**
     * Resolves the doubt for good: if the statement is not committed by now, it never will be, even if it is still on its way.
     *
     * @returns the requests granted to each key if the statement was committed; `undefined` if it was not.
     * @throws {DatabaseUnavailable} when the journal cannot be read; the doubt stays.
     */
    async settle(): Promise<Map<bigint, number> | undefined> {
      const [row] = await database.query<{ committed: bigint; granted: number[] }>(SETTLE, [id, number], {
        name: 'journal_settle',
        isRepeatable: true,
      });
      isInDoubt = false;
      if (row?.committed !== BigInt(number)) {
        isAwaited = true;
        return undefined;
      }
      const inOrder = [...lastKeyIds].sort((a, b) => Number(a - b));
      return new Map(inOrder.map((keyId, index) => [keyId, row.granted[index] ?? 0]));
    },
    /** Deletes the meter's rows, except those that a statement may still have to find; called once, at the end. */
    async close() {
      await forgetting;
      const ids = isAwaited ? formerRows : [id, ...formerRows];
      if (number > 0) await database.query(CLOSE, [ids], { name: 'journal_close', isRepeatable: true });
    },
  };
}
