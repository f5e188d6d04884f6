/** Checks the database: version, rights, migrations, clock, keys, imports, feeds and the cluster. Changes nothing. */
import { databaseTime } from '../../access/key-admin.ts';
import type { Config } from '../../config.ts';
import { type Database, NotCreated } from '../../database/database.ts';
import { pendingMigrations } from '../../database/migrate.ts';
import { openDatabase } from '../../database/open.ts';
import { prismaOf } from '../../database/prisma-of.ts';
import { missingServerRights } from '../../database/roles.ts';
import { countSealable, countStale, countUnreadable, TO_READ_AGAIN } from '../../database/sealed-columns.ts';
import { vaultOf } from '../../database/vault.ts';
import { counted } from '../../values/counted.ts';
import { DAY_MS, dayOf } from '../../values/day.ts';
import { examineCluster, examineRole } from './cluster.ts';
import { examineFeeds } from './feeds.ts';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

/** Examines the database as far as it can be reached. */
export async function examineData(config: Config): Promise<Finding[]> {
  let database: Database | undefined;
  try {
    database = await openDatabase(config, { mustExist: true });
    const server = await examineServer(database);
    const findings: Finding[] = [server, await examineClock(database)];
    if (server.status === 'problem') return findings;
    const misplaced = await examineRole(database);
    if (misplaced.length > 0) return [...findings, ...misplaced];
    const migrations = await examineMigrations(database);
    findings.push(migrations);
    if (migrations.status === 'ok') {
      findings.push(await examineKeys(database), await examineImports(database));
      findings.push(...(await examineFeeds(database, config)), ...(await examineSecrets(database)));
      findings.push(...(await examineCluster(database)));
    }
    return findings;
  } catch (error) {
    if (error instanceof NotCreated) return [ok('database', 'not created yet; the first start creates it')];
    const remedy =
      'Check that DATABASE_URL or DATA_DIR is correct, that the database runs, and that this user may use it: see docs/operations.md.';
    return [problem('database', `${database?.description ?? 'cannot be opened'}: ${reasonOf(error)}`, remedy)];
  } finally {
    await database?.close();
  }
}

/** Examines whether secrets are sealed and can be read. None if there are none. */
async function examineSecrets(database: Database): Promise<Finding[]> {
  const stored = await countSealable(database);
  if (stored === 0) return [];
  const all = 'secrets of webhooks, reports and addresses of feeds';
  const unreadable = await countUnreadable(database);
  const findings =
    unreadable > 0 ? [problem('secrets', `${unreadable} of ${stored} ${all} cannot be read`, TO_READ_AGAIN)] : [];
  if (vaultOf(database).prefix === undefined) {
    if (unreadable === stored) return findings;
    const says = `${stored - unreadable} ${all} are stored as they are, because SECRET_KEY is not set`;
    const remedy = 'Set SECRET_KEY for all processes to the output of `openssl rand -base64 32`, then run `pda seal`.';
    return [...findings, warning('secrets', says, remedy)];
  }
  const stale = (await countStale(database)) - unreadable;
  if (stale > 0) {
    const says = `${stale} of ${stored} ${all} are not sealed under the present key`;
    return [...findings, warning('secrets', says, 'Run `pda seal` once all gateways are of this version.')];
  }
  return unreadable > 0 ? findings : [ok('secrets', `${stored} ${all}, all sealed`)];
}

const OLDEST = 15;
const FULL = 0.8;

async function examineServer(database: Database): Promise<Finding> {
  const [row] = await database.query<{ version: number; text: string; encoding: string; share: number }>(`
    SELECT current_setting('server_version_num')::int AS version,
           current_setting('server_version') AS text,
           current_setting('server_encoding') AS encoding,
           (SELECT count(*) FROM pg_stat_activity
            WHERE backend_type = 'client backend' AND pid <> pg_backend_pid())::float8
             / current_setting('max_connections')::int AS share`);
  if (!row) throw new Error('The database returned no row.');
  const says = `${database.description}, version ${row.text}`;
  if (row.version < OLDEST * 10_000) return problem('database', says, `Upgrade to PostgreSQL ${OLDEST} or newer.`);
  if (row.encoding !== 'UTF8')
    return problem('database', `${says}, encoding ${row.encoding}`, "Recreate the database with ENCODING 'UTF8'.");
  const lacking = await missingServerRights(database);
  if (lacking.length > 0) {
    const remedy = 'Run `pda roles --apply` with the DATABASE_URL of the owner.';
    return problem('database', `${says}: this role lacks rights on ${lacking.join(', ')}`, remedy);
  }
  if (row.share > FULL) {
    const share = `${Math.round(row.share * 100)} % of its connections in use`;
    return warning('database', `${says}, ${share}`, 'Raise max_connections, or run fewer processes.');
  }
  return ok('database', says);
}

const SKEW_MS = 1_000;
const BAD_SKEW_MS = 60_000;

async function examineClock(database: Database): Promise<Finding> {
  const before = Date.now();
  const [row] = await database.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const after = Date.now();
  const theirs = row?.now.getTime() ?? 0;
  // The database read its clock between these two moments, so only the time outside them is skew.
  const skew = theirs < before ? before - theirs : Math.max(0, theirs - after);
  const says = `${skew} ms off the database's`;
  const remedy = 'Synchronise both machines with NTP: days, months and key expiry depend on the clock.';
  if (skew > BAD_SKEW_MS) return problem('clock', says, remedy);
  return skew > SKEW_MS ? warning('clock', says, remedy) : ok('clock', says);
}

async function examineMigrations(database: Database): Promise<Finding> {
  try {
    const pending = await pendingMigrations(database);
    if (pending.length === 0) return ok('migrations', 'up to date');
    const remedy = 'Run `pda migrate`, or start the server, which applies them.';
    return warning('migrations', `${pending.join(', ')} missing`, remedy);
  } catch (error) {
    return problem('migrations', reasonOf(error), 'Restore the files of prisma/migrations from the release.');
  }
}

const SOON_DAYS = 7;

async function examineKeys(database: Database): Promise<Finding> {
  const prisma = await prismaOf(database);
  const now = await databaseTime(prisma);
  const soon = new Date(now.getTime() + SOON_DAYS * DAY_MS);
  const working = await prisma.apiKey.count({
    where: { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  });
  const ending = await prisma.apiKey.count({ where: { revokedAt: null, expiresAt: { gt: now, lt: soon } } });
  if (working === 0) return warning('keys', 'no working key', 'Create one with `pda keys create`.');
  if (ending > 0) {
    const remedy = 'See `pda keys list`, and create new keys in time.';
    return warning('keys', `${ending} of ${working} expire within a week`, remedy);
  }
  return ok('keys', counted(working, 'works', 'work'));
}

const STALE_MS = 2 * DAY_MS;

async function examineImports(database: Database): Promise<Finding> {
  const prisma = await prismaOf(database);
  const shops = await prisma.merchant.findMany({
    select: { name: true, observedAt: true },
    where: { offerCount: { gt: 0 } },
    orderBy: [{ observedAt: { sort: 'asc', nulls: 'first' } }, { sortName: 'asc' }],
  });
  if (shops.length === 0) return warning('imports', 'no shop has an offer', 'Import a feed with `pda import`.');
  const stale = shops.filter(({ observedAt }) => (observedAt?.getTime() ?? 0) < Date.now() - STALE_MS);
  const all = counted(shops.length, 'shop');
  if (stale.length === 0) return ok('imports', `${all}, all imported within two days`);
  const named = stale.slice(0, 3).map(({ name, observedAt: at }) => `${name} (${at ? dayOf(at.getTime()) : 'never'})`);
  const says = `${stale.length} of ${all} not imported for two days: ${named.join(', ')}${stale.length > 3 ? ', …' : ''}`;
  return warning('imports', says, 'Import their feeds, and check the log of the job that should have done so.');
}
