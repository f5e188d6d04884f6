/** `/healthz`: the process is alive. `/readyz`: it can serve, which is to say the database answers and is migrated. */
import type { Plugin } from 'graphql-yoga';
import type { Database } from '../database/database.ts';
import { pendingMigrations } from '../database/migrate.ts';
import { Problem } from '../problem.ts';

/** @param isDraining true once the process has been told to stop: no more traffic should come. */
export function useHealth(database: Database, isDraining: () => boolean): Plugin {
  return {
    async onRequest({ url, request, endResponse, fetchAPI }) {
      if (url.pathname !== '/healthz' && url.pathname !== '/readyz') return;
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      if (url.pathname === '/readyz') await checkReady(database, isDraining());
      endResponse(fetchAPI.Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } }));
    },
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
