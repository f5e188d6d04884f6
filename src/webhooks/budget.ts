/** The messages a minute that a key's webhooks may send, by its plan. Replays and tests count when they are sent, like all others. */
import { type PlanId, planOf } from '../access/plans.ts';
import type { RateLimits } from '../access/rate-limit.ts';
import { secondsUntil } from '../access/windows.ts';
import { Problem } from '../problem.ts';
import type { ClaimedMessage } from './delivery-queue.ts';

const windowOf = (keyId: bigint) => `messages ${keyId}` as const;

/** How many messages a key may still send in this minute. @throws {Problem} `rate_limited` if none. */
export async function messagesLeft(rates: RateLimits, { id, plan }: { id: bigint; plan: PlanId }): Promise<number> {
  const { messagesPerMinute } = planOf(plan);
  const { remaining, resetAt } = await rates.look(windowOf(id), messagesPerMinute);
  if (remaining > 0) return remaining;
  const seconds = secondsUntil(resetAt);
  throw new Problem(
    'rate_limited',
    `The key has used up the ${messagesPerMinute} messages a minute of its plan: wait ${seconds} seconds, then try again.`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}

/** Opens the budgets, as those who send messages use them. */
export function openBudgets(rates: RateLimits) {
  /** The keys that have used up their messages, and when the minute ends. */
  const spent = new Map<bigint, number>();

  return {
    /** The keys that may send no more in this minute. */
    spentKeys(): bigint[] {
      for (const [id, resetAt] of spent) if (resetAt <= Date.now()) spent.delete(id);
      return [...spent.keys()];
    },
    /** Takes messages from the budgets of their keys. @returns those that fit, and the others. */
    async take(claimed: readonly ClaimedMessage[]): Promise<{ fitting: ClaimedMessage[]; excess: ClaimedMessage[] }> {
      const fitting: ClaimedMessage[] = [];
      const excess: ClaimedMessage[] = [];
      for (const keyId of new Set(claimed.map((message) => message.keyId))) {
        const messages = claimed.filter((message) => message.keyId === keyId);
        const { messagesPerMinute } = planOf(messages[0]?.plan ?? 'free');
        const take = (count: number) => rates.take(windowOf(keyId), messagesPerMinute, count);
        const { isAllowed, remaining, resetAt } = await take(messages.length);
        let count = messages.length;
        if (!isAllowed) {
          count = remaining > 0 && (await take(remaining)).isAllowed ? remaining : 0;
          spent.set(keyId, resetAt);
        }
        fitting.push(...messages.slice(0, count));
        excess.push(...messages.slice(count));
      }
      return { fitting, excess };
    },
  };
}
