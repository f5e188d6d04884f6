/**
 * Writes that take effect once, also where their answer is lost. Each statement of a meter writes its number and its outcome into the
 * meter's row of the journal: committed together with the counters, or not at all. A meter whose connection was cut before the
 * answer came asks there what has become of its statement.
 */
import { randomUUID } from 'node:crypto';
import { isUndecided, type Queryable, type QueryOptions } from '../database/database.ts';

/** What a statement has granted to a key. */
export interface Grant {
  key_id: bigint;
  /** Requests used in the month after it. */
  used: bigint;
  granted: bigint;
}

export interface Journal {
  /**
   * Carries out a statement made with {@link journalled}, one at a time, and never while one is in doubt.
   *
   * @param keyIds the keys whose counters it changes, as the statement returns them.
   * @throws what the database throws; the statement is in doubt then where nobody knows whether it was committed.
   */
  write(
    sql: string,
    keyIds: readonly bigint[],
    parameters: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Grant[]>;
  /** True while nobody knows what has become of the last statement. */
  isInDoubt(): boolean;
  /**
   * Clears the doubt for good: a statement that is not committed by now never will be, should it still be on its way.
   *
   * @returns what was granted to each key if the statement was committed; nothing if it was not.
   * @throws {DatabaseUnavailable} when that cannot be asked now; the doubt stays.
   */
  settle(): Promise<Map<bigint, number> | undefined>;
  /** Takes the meter's row away; called once, at the end. */
  close(): Promise<void>;
}

/**
 * A statement that writes what it does into the journal.
 *
 * @param sql changes counters, and returns `key_id`, `used` and `granted`.
 * @param firstFree the number of its first parameter that is free.
 */
export function journalled(sql: string, firstFree: number): string {
  // Who comes late, after his doubt was settled, sets NULL where there must be none: the statement fails, its counts with it.
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
  )
  SELECT key_id, used, granted FROM counted`;
}

// Waits for a statement that holds the row, since that is about to be committed, and keeps out one that has not come so far.
const SETTLE = `
  INSERT INTO usage_journal AS last (meter_id, number, committed, day, granted)
  VALUES ($1::uuid, $2::bigint, 0, CURRENT_DATE, '{}')
  ON CONFLICT (meter_id) DO UPDATE
  SET number = GREATEST(last.number, excluded.number)
  RETURNING committed, granted`;

// Of meters that were killed too: none is in doubt for a month.
const CLOSE = `
  DELETE FROM usage_journal
  WHERE meter_id = $1::uuid OR day < CURRENT_DATE - 31`;

/** Opens a journal of its own over a database. */
export function openJournal(database: Queryable): Journal {
  const id = randomUUID();
  let number = 0;
  let isInDoubt = false;
  let lastKeyIds: readonly bigint[] = [];

  return {
    isInDoubt: () => isInDoubt,
    async write(sql, keyIds, parameters, options) {
      number += 1;
      lastKeyIds = keyIds;
      try {
        return await database.query<Grant>(sql, [...parameters, id, number], options);
      } catch (error) {
        isInDoubt = isUndecided(error);
        throw error;
      }
    },
    async settle() {
      const [row] = await database.query<{ committed: bigint; granted: number[] }>(SETTLE, [id, number], {
        isRepeatable: true,
      });
      isInDoubt = false;
      if (row?.committed !== BigInt(number)) return undefined;
      const inOrder = [...lastKeyIds].sort((a, b) => Number(a - b));
      return new Map(inOrder.map((keyId, index) => [keyId, row.granted[index] ?? 0]));
    },
    async close() {
      if (number > 0) await database.query(CLOSE, [id], { isRepeatable: true });
    },
  };
}
