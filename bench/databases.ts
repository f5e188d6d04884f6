/** Temporary databases for benchmarks. */
import { randomBytes } from 'node:crypto';
import { openPostgres } from '../src/database/postgres.ts';

/** Creates an empty database on a server; call `drop` at the end. */
export async function temporaryDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `pda_bench_${randomBytes(4).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await run(server, `CREATE DATABASE ${name}`);
  return { url: url.href, drop: () => run(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Runs a statement on the server itself. */
async function run(server: string, sql: string): Promise<void> {
  const admin = openPostgres({ url: server, purpose: 'bulk' });
  await admin.script(sql);
  await admin.close();
}
