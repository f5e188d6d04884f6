/** What the configuration says about pulling feeds, and what the log says of it. */
import { type Config, marketOf } from '../config.ts';
import type { Log } from '../operations/log.ts';
import type { PullerOptions, PullObserver } from './puller.ts';

export function pullerOptions(config: Config): Omit<PullerOptions, 'observer'> {
  return {
    market: marketOf(config),
    secretKey: config.secretKey,
    leaseSeconds: config.feedLeaseSeconds,
    downloadMs: config.feedDownloadSeconds * 1_000,
  };
}

export const feedLog = (log: Log): PullObserver => ({
  onPulled({ id, ...feed }, { outcome, summary, message, error }) {
    const entry = { feed: id, ...feed, outcome, ...summary, ...(message !== undefined && { reason: message }) };
    if (outcome === 'imported' || outcome === 'unchanged') {
      if (error === undefined) log.info(entry, 'Pulled a feed');
      else log.warn({ ...entry, err: error }, 'Pulled a feed, but the work after its import failed');
    } else if (outcome === 'superseded') log.info(entry, 'A pull of a feed was taken over');
    else if (outcome === 'failed') log.error({ ...entry, err: error }, 'A pull of a feed failed');
    else log.warn(entry, 'A pull of a feed failed');
  },
  onFailure: (err) => log.warn({ err }, 'Failed to look for due feeds or to record a pull; the next attempt continues'),
});
