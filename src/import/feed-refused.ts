/** Refuses feeds that would empty a shop. */
import type { Withdrawals } from './plan-writes.ts';

/** The feed can be read but is not accepted; the message says why and what to do. */
export class FeedRefused extends Error {
  override name = 'FeedRefused';
  /** What happened, without what to do. */
  readonly fact: string;

  constructor(fact: string, advice: string) {
    super(`${fact} ${advice}`);
    this.fact = fact;
  }
}

/** Whether a feed would withdraw more than half of the shop's offers. */
export const isTooMuch = ({ count, inForce }: Withdrawals): boolean => count * 2 > inForce;

/** The refusal of such a feed. */
export function refused(merchant: string, { count, inForce }: Withdrawals): FeedRefused {
  return new FeedRefused(
    `The feed would withdraw ${count} of the ${inForce} offers of ${merchant}, more than half, so nothing was changed.`,
    'Check whether the feed is complete; to import it as it is, use --force; if it lists only changes, use --delta.',
  );
}
