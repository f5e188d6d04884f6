/** What is owed to keys: requests that were charged, and then not answered. Kept, and tried again, until it is written. */

import type { Queryable } from '../database/database.ts';
import { dayInMonth, monthOfDay } from '../values/day.ts';
import { journalled, openJournal } from './journal.ts';

export interface GiveBacks {
  /** Gives requests back to a key. @param day the day that they were charged to, `YYYY-MM-DD` in UTC. */
  owe(keyId: bigint, day: string, cost: number): void;
  /** Writes what is still owed; called once, before the database closes. What could not be written has been told of. */
  close(): Promise<void>;
}

// $4 is the day of the month that was charged: the days begun since started with this charge in their figure.
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

/** Opens the give-backs of a meter. @param onFailed told of each attempt that failed. */
export function openGiveBacks(database: Queryable, onFailed: (error: unknown) => void): GiveBacks {
  const journal = openJournal(database);
  const owed = new Map<string, Debt>();
  /** What was sent, and may have been paid. */
  let unsure: Debt | undefined;
  let retry: NodeJS.Timeout | undefined;

  const note = ({ keyId, day, cost }: Debt) => {
    const name = `${keyId} ${day}`;
    owed.set(name, { keyId, day, cost: cost + (owed.get(name)?.cost ?? 0) });
  };
  const pay = async (debt: Debt) => {
    const { keyId, day, cost } = debt;
    try {
      await journal.write(GIVE_BACK, [keyId], [keyId, monthOfDay(day), cost, dayInMonth(day)]);
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
  // One after the other, so that who waits for the last has waited for all.
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
