/** The access class of a path: whether it needs a key, and what it counts. Each row of the route table has one. */
import type { Soon } from '../soon.ts';
import type { Access } from './access.ts';

/**
 * - `public`: needs no key, and is not counted.
 * - `limited`: needs no key, and counts against the limit of the client's address.
 * - `keyed`: needs a valid key, and charges it nothing; counts against the limit of the client's address, and against one of the key.
 * - `metered`: needs a valid key, and is charged to it.
 */
export type AccessClass = 'public' | 'limited' | 'keyed' | 'metered';

/**
 * Runs work at the price of some requests. Their quota is settled meanwhile; a refused quota takes precedence over the work's outcome.
 * @throws {Problem} as {@link Access.admit} does, before the work starts.
 */
export async function atPrice<Result>(access: Access, price: number, work: () => Soon<Result>): Promise<Result> {
  const admitting = access.admit(price);
  const { settled } = admitting instanceof Promise ? await admitting : admitting;
  let working: Soon<Result>;
  try {
    working = work();
  } catch (error) {
    await settled;
    throw error;
  }
  if (working instanceof Promise) working.catch(() => {}); // Awaited below, unless the quota refuses first.
  await settled;
  return working;
}
