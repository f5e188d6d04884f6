/** The access class of a path: whether it needs a key, and what it counts. Each row of the route table has one. */
import type { Access } from './access.ts';

/**
 * - `public`: needs no key, and is not counted.
 * - `limited`: needs no key, and counts against the limit of the client's address.
 * - `metered`: needs a valid key, and is charged to it.
 */
export type AccessClass = 'public' | 'limited' | 'metered';

/**
 * Runs work at the price of one request. Its quota is settled meanwhile; a refused quota takes precedence over the work's outcome.
 * @throws {Problem} as {@link Access.admit} does, before the work starts.
 */
export async function atOneRequest<Result>(access: Access, work: () => Promise<Result>): Promise<Result> {
  const { settled } = await access.admit(1);
  const working = work();
  working.catch(() => {}); // Awaited below, unless the quota refuses first.
  await settled;
  return await working;
}
