/** Refunds requests that were charged but not answered. Each refund is kept and retried until it is written. */
import type { Queryable } from '../database/database.ts';
import { dayInMonth, monthOfDay } from '../values/day.ts';
import { journalled, openJournal } from './journal.ts';

// $4 is the day of the month that was charged. The start figures of later days include this charge, so they are reduced too.
const REFUND = journalled(
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

interface Refund {
  keyId: bigint;
  /** The day that was charged, `YYYY-MM-DD` in UTC. */
  day: string;
  cost: number;
}

/** Opens the refunds of a meter. @param onFailed called for each failed attempt. */
export function openRefunds(database: Queryable, onFailed: (error: unknown) => void) {
  const journal = openJournal(database);
  const owed = new Map<string, Refund>();
  /** The refund that was sent and may have been committed. */
  let unsure: Refund | undefined;
  let retry: NodeJS.Timeout | undefined;

  const note = ({ keyId, day, cost }: Refund) => {
    const name = `${keyId} ${day}`;
    owed.set(name, { keyId, day, cost: cost + (owed.get(name)?.cost ?? 0) });
  };
  const pay = async (refund: Refund) => {
    const { keyId, day, cost } = refund;
    try {
      await journal.write(REFUND, [keyId], [keyId, monthOfDay(day), cost, dayInMonth(day)], { name: 'refund' });
    } catch (error) {
      if (journal.isInDoubt()) unsure = refund;
      else note(refund);
      throw error;
    }
  };
  const payAll = async () => {
    try {
      if (unsure) {
        if (!(await journal.settle())) note(unsure);
        unsure = undefined;
      }
      for (const [name, refund] of owed) {
        owed.delete(name);
        await pay(refund);
      }
    } catch (error) {
      onFailed(error);
      retry ??= setTimeout(() => {
        retry = undefined;
        void payInTurn();
      }, RETRY_MS).unref();
    }
  };
  // One after the other, so that waiting for the last waits for all.
  let paying = Promise.resolve();
  const payInTurn = () => {
    paying = paying.then(payAll);
    return paying;
  };

  return {
    owe(refund: Refund) {
      note(refund);
      if (!retry) void payInTurn();
    },
    /** Writes pending refunds; called once, before the database closes. Failures have been reported to `onFailed`. */
    async close() {
      clearTimeout(retry);
      retry = undefined;
      await payInTurn();
      clearTimeout(retry);
      await journal.close();
    },
  };
}
