/** `/healthz`: the process is alive. `/readyz`: it can serve, which is to say the database answers and is migrated. */
import type { Database } from '../database/database.ts';
import { pendingMigrations } from '../database/migrate.ts';
import { type Handler, isRead } from '../http/exchange.ts';
import { Problem } from '../problem.ts';

const BODY = JSON.stringify({ status: 'ok' });
const HEADERS = {
  'Content-Type': 'application/json',
  'Content-Length': String(BODY.length),
  'Cache-Control': 'no-store',
};

/** Whether a path is one of these: a balancer that is told nothing would take a busy process for a dead one. */
export const isHealthPath = (pathname: string): boolean => pathname === '/healthz' || pathname === '/readyz';

/** @param isDraining true once the process has been told to stop: no more traffic should come. */
export function serveHealth(database: Database, isDraining: () => boolean): Handler {
  const answer = () => ({ status: 200, headers: { ...HEADERS }, body: BODY });
  return (exchange) => {
    if (!isRead(exchange)) return undefined;
    if (exchange.pathname === '/healthz') return answer();
    if (exchange.pathname !== '/readyz') return undefined;
    return checkReady(database, isDraining()).then(answer);
  };
}

async function checkReady(database: Database, isDraining: boolean): Promise<void> {
  const headers = { 'Retry-After': '5' };
  if (isDraining) throw new Problem('unavailable', 'This process is stopping: ask another one.', { headers });
  const pending = await pendingMigrations(database);
  if (pending.length > 0) {
    const detail = `The database lacks ${pending.length} migrations: run \`pda migrate\`, or restart the service.`;
    throw new Problem('unavailable', detail, { headers });
  }
}
