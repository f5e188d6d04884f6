/**
 * The public key of a demo: the front page contains it, so that visitors can look products up without a key of their own. It reads the
 * catalogue, without a quota, up to a limit for each address. A database without the demo catalogue has none.
 */
import type { Database, Queryable } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import { Problem } from '../problem.ts';
import { insertKey, numberOf } from './key-admin.ts';

/** Requests a minute of an address with the demo key. */
export const DEMO_REQUESTS_A_MINUTE = 30;

/** The refusal of what needs a key of one's own. */
export const demoKeyRefused = (): Problem =>
  new Problem(
    'demo_key_refused',
    'The public demo key only reads the catalogue, without exports: get a key of your own (`pda keys create --plan starter`), and send that.',
  );

// By the primary keys; the table has at most one row. SQL, because the front page would otherwise load Prisma.
const READ_DEMO_KEY = `
  SELECT demo.secret
  FROM demo_key AS demo
  JOIN api_key AS key ON key.id = demo.key_id
  WHERE key.revoked_at IS NULL AND (key.expires_at > now()) IS NOT FALSE`;

/** The text of the demo key; `undefined` if there is none that works. */
export async function readDemoKey(database: Queryable): Promise<string | undefined> {
  const [row] = await database.query<{ secret: string }>(READ_DEMO_KEY, [], { name: 'demo_key' });
  return row?.secret;
}

/**
 * Makes the function that reads the demo key for the front page. `undefined` without one, if demo keys are off, and while the database is
 * unavailable, so that the page is still served.
 */
export function openDemoKey({ database, config }: { database: Queryable; config: { hasDemoKey: boolean } }) {
  return async (): Promise<string | undefined> =>
    config.hasDemoKey ? readDemoKey(database).catch(() => undefined) : undefined;
}

/** Creates the demo key, unless there has been one: a revoked one is not replaced. */
export async function createDemoKey(database: Database): Promise<void> {
  const prisma = await prismaOf(database);
  await prisma.$transaction(async (transaction) => {
    if ((await transaction.demoKey.count()) > 0) return;
    const { id, key } = await insertKey(transaction, { name: 'public demo key', plan: 'enterprise' });
    await transaction.demoKey.create({ data: { keyId: numberOf(id), secret: key } });
  });
}
