/** `/healthz`: the process is alive. `/readyz`: it can serve, because the database answers and is migrated. */
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

const RETRY = { 'Retry-After': '5' };

/** How long a result is shared, in milliseconds; readiness changes within about this time. */
const SHARED_MS = 1_000;

/** Answers `/healthz`. */
export const serveLiveness = () => ({ status: 200, headers: { ...HEADERS }, body: BODY });

/** Answers `/readyz`. @param isDraining true once the process has been told to stop, so that it gets no more traffic. */
export function serveReadiness(database: Database, isDraining: () => boolean): Handler {
  const checkReady = shared(() => checkDatabase(database));
  return () => {
    if (isDraining()) {
      throw new Problem('unavailable', 'This instance is stopping: use another one.', { headers: RETRY });
    }
    return checkReady().then(serveLiveness);
  };
}

/** Shares one check among all callers while it runs and within {@link SHARED_MS} of its start, since anybody may call it at any rate. */
function shared(check: () => Promise<void>): () => Promise<void> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let outcome = Promise.resolve();
  return () => {
    if (isRunning || performance.now() - startedAt < SHARED_MS) return outcome;
    startedAt = performance.now();
    isRunning = true;
    outcome = check().finally(() => {
      isRunning = false;
    });
    return outcome;
  };
}

async function checkDatabase(database: Database): Promise<void> {
  const pending = await pendingMigrations(database);
  if (pending.length > 0) {
    const detail = `The database lacks ${pending.length} migrations: run \`pda migrate\`, or restart the service.`;
    throw new Problem('unavailable', detail, { headers: RETRY });
  }
}
