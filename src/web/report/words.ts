/** The words and numbers of reports. */
import type { FeedStatus } from '../../feeds/feed-report.ts';

/** Each status in words, with the look of its badge. */
export const STATUS: Readonly<Record<FeedStatus, { words: string; look: string }>> = {
  waiting: { words: 'Not pulled yet', look: '' },
  ok: { words: 'Up to date', look: 'good' },
  failing: { words: 'The last run failed', look: 'bad' },
  needs_confirmation: { words: 'Needs confirmation', look: 'warn' },
  paused: { words: 'Paused', look: 'warn' },
};

/** What a status means for the shop, and what it can do; nothing if all is well. */
export const ADVICE: Readonly<Partial<Record<FeedStatus, string>>> = {
  waiting: 'The feed has been added. The figures below follow with its first run.',
  failing: 'Your offers stay as they were until the feed can be read again. It is tried again regularly.',
  needs_confirmation:
    'The feed would withdraw more than half of your offers, so nothing was changed. If the feed is complete, ask the operator of this service to confirm it; if not, complete it.',
  paused: 'The operator of this service has paused the feed. Your offers stay as they were until it continues.',
};

const OUTCOMES: Readonly<Record<string, { words: string; look: 'good' | 'quiet' | 'bad' }>> = {
  imported: { words: 'Imported', look: 'good' },
  unchanged: { words: 'Unchanged', look: 'quiet' },
  refused: { words: 'Refused', look: 'bad' },
  broken: { words: 'Broken feed', look: 'bad' },
  failed: { words: 'Failed', look: 'bad' },
  superseded: { words: 'Superseded', look: 'quiet' },
};

/** An outcome in words; null is that of a run in progress. Later versions may have others. */
export function outcomeOf(outcome: string | null): { words: string; look: 'good' | 'quiet' | 'bad' } {
  if (outcome === null) return { words: 'Running', look: 'quiet' };
  return OUTCOMES[outcome] ?? { words: outcome, look: 'quiet' };
}

const COUNT = new Intl.NumberFormat('en-GB');
const PERCENT = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });

/** @example count(1299) // '1,299' */
export const count = (number: number): string => COUNT.format(number);

/** A share of a whole; `–` of nothing. Rounded down, so that 100 % means all. @example share(999, 1000) // '99.9%' */
export const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : PERCENT.format(Math.floor((part / whole) * 1_000) / 1_000);

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** @example interval(3600) // 'every hour', interval(5400) // 'every 90 minutes' */
export function interval(seconds: number): string {
  const [name, length] = UNITS.find(([, each]) => seconds % each === 0) ?? ['second', 1];
  const number = seconds / length;
  return number === 1 ? `every ${name}` : `every ${number} ${name}s`;
}
