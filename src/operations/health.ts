/** `/healthz`: the process is alive. `/readyz`: it can serve, which is to say the database answers and is migrated. */
import type { Database } from '../database/database.ts';
import { pendingMigrations } from '../database/migrate.ts';
import type { Handler } from '../http/exchange.ts';
import { Problem } from '../problem.ts';

const BODY = JSON.stringify({ status: 'ok' });
const HEADERS = {
  'Content-Type': 'application/json',
  'Content-Length': String(BODY.length),
  'Cache-Control': 'no-store',
};

/** For how long an answer of the database is shared, in milliseconds: readiness turns within about this time. */
const SHARED_MS = 1_000;

const answer = () => ({ status: 200, headers: { ...HEADERS }, body: BODY });

/** Answers `/healthz`. */
export const serveLiveness: Handler = answer;

/**
 * Answers `/readyz`.
 *
 * @param isDraining true once the process has been told to stop: no more traffic should come.
 */
export function serveReadiness(database: Database, isDraining: () => boolean): Handler {
  const checkReady = shared(() => checkDatabase(database));
  return () => {
    if (isDraining()) {
      throw new Problem('unavailable', 'This process is stopping: ask another one.', { headers: RETRY });
    }
    return checkReady().then(answer);
  };
}

const RETRY = { 'Retry-After': '5' };

/**
 * One check for all callers within {@link SHARED_MS} of its start, and for all that wait for it: anybody may ask, as often as they
 * like. A failed check is shared no longer than a successful one.
 */
function shared(check: () => Promise<void>): () => Promise<void> {
  let last: { startedAt: number; isRunning: boolean; outcome: Promise<void> } | undefined;
  return () => {
    const now = performance.now();
    if (last && (last.isRunning || now - last.startedAt < SHARED_MS)) return last.outcome;
    const current = { startedAt: now, isRunning: true, outcome: check() };
    const end = () => {
      current.isRunning = false;
    };
    current.outcome.then(end, end);
    last = current;
    return current.outcome;
  };
}

async function checkDatabase(database: Database): Promise<void> {
  const pending = await pendingMigrations(database);
  if (pending.length > 0) {
    const detail = `The database lacks ${pending.length} migrations: run \`pda migrate\`, or restart the service.`;
    throw new Problem('unavailable', detail, { headers: RETRY });
  }
}
