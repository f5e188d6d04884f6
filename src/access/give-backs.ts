/** Gives requests that were charged but not answered back to their keys. Each is kept and retried until it is written. */

import type { Queryable } from '../database/database.ts';
import { dayInMonth, monthOfDay } from '../values/day.ts';
import { journalled, openJournal } from './journal.ts';

export interface GiveBacks {
  /** Gives requests back to a key. @param day the day they were charged to, `YYYY-MM-DD` in UTC. */
  owe(keyId: bigint, day: string, cost: number): void;
  /** Writes pending give-backs; called once, before the database closes. Failures have been reported to `onFailed`. */
  close(): Promise<void>;
}

// $4 is the day of the month that was charged. The start figures of later days include this charge, so they are reduced too.
const GIVE_BACK = journalled(
  `
  UPDATE usage_counter
  SET used = GREATEST(used - $3::bigint, 0),
      day_starts = CASE WHEN array_upper(day_starts, 1) > $4::int THEN ARRAY(
        SELECT CASE WHEN day > $4::int THEN day_starts[day] - $3::bigint ELSE day_starts[day] END
        FROM generate_series(1, array_upper(day_starts, 1)) AS day
        ORDER BY day
      ) ELSE day_starts END
  WHERE key_id = $1::bigint AND month = $2::text
  RETURNING key_id, used, 0::bigint AS granted`,
  5,
);

const RETRY_MS = 1_000;

interface Debt {
  keyId: bigint;
  day: string;
  cost: number;
}

/** Opens the give-backs of a meter. @param onFailed called for each failed attempt. */
export function openGiveBacks(database: Queryable, onFailed: (error: unknown) => void): GiveBacks {
  const journal = openJournal(database);
  const owed = new Map<string, Debt>();
  /** The give-back that was sent and may have been committed. */
  let unsure: Debt | undefined;
  let retry: NodeJS.Timeout | undefined;

  const note = ({ keyId, day, cost }: Debt) => {
    const name = `${keyId} ${day}`;
    owed.set(name, { keyId, day, cost: cost + (owed.get(name)?.cost ?? 0) });
  };
  const pay = async (debt: Debt) => {
    const { keyId, day, cost } = debt;
    try {
      await journal.write(GIVE_BACK, [keyId], [keyId, monthOfDay(day), cost, dayInMonth(day)], { name: 'refund' });
    } catch (error) {
      if (journal.isInDoubt()) unsure = debt;
      else note(debt);
      throw error;
    }
  };
  const payAll = async () => {
    try {
      if (unsure) {
        if (!(await journal.settle())) note(unsure);
        unsure = undefined;
      }
      for (const [name, debt] of owed) {
        owed.delete(name);
        await pay(debt);
      }
    } catch (error) {
      onFailed(error);
      retry ??= setTimeout(() => {
        retry = undefined;
        void payBack();
      }, RETRY_MS).unref();
    }
  };
  // One after the other, so that waiting for the last waits for all.
  let paying = Promise.resolve();
  const payBack = () => {
    paying = paying.then(payAll);
    return paying;
  };

  return {
    owe(keyId, day, cost) {
      note({ keyId, day, cost });
      if (!retry) void payBack();
    },
    async close() {
      clearTimeout(retry);
      retry = undefined;
      await payBack();
      clearTimeout(retry);
      await journal.close();
    },
  };
}
