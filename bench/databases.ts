/** Temporary databases for benchmarks. */
import { randomBytes } from 'node:crypto';
import { openPostgres } from '../src/database/postgres.ts';
import { NotMeasured } from './not-measured.ts';

/** Creates an empty database on a server; call `drop` at the end. */
export async function temporaryDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = temporaryName();
  const url = new URL(server);
  url.pathname = `/${name}`;
  await run(server, `CREATE DATABASE ${name}`);
  return { url: url.href, drop: () => run(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** A name for a database that no other run uses. */
export const temporaryName = (): string => `pda_bench_${randomBytes(4).toString('hex')}`;

/** The version of a server. @throws NotMeasured if it cannot be reached. */
export async function serverVersion(server: string): Promise<string> {
  const admin = openPostgres({ url: server, purpose: 'bulk' });
  try {
    const [row] = await admin.query<{ version: string }>("SELECT current_setting('server_version') AS version");
    return row?.version ?? 'unknown';
  } catch (error) {
    throw new NotMeasured(
      `The benchmark needs a PostgreSQL server on which it may create databases: set BENCH_DATABASE_URL. ${(error as Error).message}`,
    );
  } finally {
    await admin.close();
  }
}

/** Runs a statement on the server itself, or on one database. */
export async function run(server: string, sql: string): Promise<void> {
  const admin = openPostgres({ url: server, purpose: 'bulk' });
  await admin.script(sql);
  await admin.close();
}
