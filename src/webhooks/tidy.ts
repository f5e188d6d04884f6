/** Deletes old deliveries, and gives up the messages that nobody sends because their webhook is disabled or its key is revoked. */
import type { Queryable } from '../database/database.ts';
import { KEPT_DAYS, TESTS_KEPT_DAYS } from './delivery-queue.ts';

// A step takes some milliseconds, so that nothing waits long for the rows that it locks.
const MOST_ROWS = 500;
// The attempts of a message end after three days; one day more, so that no message is given up that is still sent.
const GIVEN_UP_AFTER_DAYS = 4;

const DELETE = `
  DELETE FROM webhook_delivery
  WHERE id IN (
    SELECT id FROM webhook_delivery
    WHERE created_at < now() - INTERVAL '${KEPT_DAYS} days'
    ORDER BY created_at
    LIMIT ${MOST_ROWS}
    FOR UPDATE SKIP LOCKED
  )
  RETURNING id`;

const DELETE_TESTS = `
  DELETE FROM webhook_delivery
  WHERE id IN (
    SELECT id FROM webhook_delivery
    WHERE seq IS NULL AND created_at < now() - INTERVAL '${TESTS_KEPT_DAYS} days'
    ORDER BY created_at
    LIMIT ${MOST_ROWS}
    FOR UPDATE SKIP LOCKED
  )
  RETURNING id`;

const GIVE_UP = `
  UPDATE webhook_delivery
  SET given_up_at = now(), leased_until = NULL,
      last_error = COALESCE(last_error, 'Not sent for three days, because the webhook was disabled or its key was not valid.')
  WHERE id IN (
    SELECT id FROM webhook_delivery
    WHERE delivered_at IS NULL AND given_up_at IS NULL AND due_since < now() - INTERVAL '${GIVEN_UP_AFTER_DAYS} days'
    LIMIT ${MOST_ROWS}
    FOR UPDATE SKIP LOCKED
  )
  RETURNING id`;

/** Takes a step. Gateways may take steps at the same time. @returns whether there may be more to do. */
export async function tidyDeliveries(database: Queryable): Promise<boolean> {
  let isFull = false;
  for (const statement of [DELETE, DELETE_TESTS, GIVE_UP]) {
    const rows = await database.query(statement, [], { name: 'webhook_tidy' });
    isFull ||= rows.length === MOST_ROWS;
  }
  return isFull;
}
