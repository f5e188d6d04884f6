/** What a path of the server asks of its clients. Each row of the route table names one of these classes. */
import type { Access } from './access.ts';

/**
 * - `public`: free for everybody, and not counted.
 * - `limited`: free for everybody, and counted against the limit of the client's address.
 * - `metered`: needs a valid key and is charged to it.
 */
export type AccessClass = 'public' | 'limited' | 'metered';

/**
 * Runs work at the price of one request. The quota is settled while the work runs; its refusal goes before whatever the work
 * gives or throws (decisions §4).
 *
 * @throws {Problem} as {@link Access.admit} does, before the work begins.
 */
export async function atOneRequest<Result>(access: Access, work: () => Promise<Result>): Promise<Result> {
  const { settled } = await access.admit(1);
  const working = work();
  working.catch(() => {}); // Awaited below, unless the quota refuses first.
  await settled;
  return await working;
}
