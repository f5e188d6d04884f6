/** Metrics of scheduled feeds, from the database. All gateways read the same rows, so do not sum their figures. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import type { FeedOutcome } from '../generated/prisma/enums.ts';
import { openRefreshing } from './refreshing.ts';

const OUTCOMES: readonly FeedOutcome[] = ['imported', 'unchanged', 'refused', 'broken', 'failed', 'superseded'];
const MOST_RUNS = 1_000;
// A run's end is stamped before its transaction commits, so runs become visible out of order, within seconds.
const OVERLAP_MS = 60_000;

interface Run {
  id: bigint;
  outcome: FeedOutcome;
  finished_at: Date;
  seconds: number;
}

interface State {
  now: Date;
  feeds: number;
  paused: number;
  failing: number;
  unconfirmed: number;
  running: number;
  overdue: number;
  stalest: number;
}

/** `watch` sets the database to read from; runs are counted from then on. */
export function openFeedMetrics(registry: Registry) {
  const { refresh, readWith } = openRefreshing();
  const common = { registers: [registry], collect: refresh, aggregator: 'max' as const };
  const runs = new Counter({
    name: 'pda_feed_runs_total',
    help: 'Runs of scheduled feeds that have ended since this gateway started, in any process, by outcome.',
    labelNames: ['outcome'],
    ...common,
  });
  for (const outcome of OUTCOMES) runs.inc({ outcome }, 0);
  const seconds = new Histogram({
    name: 'pda_feed_run_seconds',
    help: 'Duration of these runs in seconds, from the claim to the end of the import.',
    buckets: [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
    ...common,
  });
  const feeds = new Gauge({
    name: 'pda_feeds',
    help: 'Scheduled feeds by state: all, running, paused, failing (the last run failed) or unconfirmed (the guard refused the content). Several states may apply to a feed.',
    labelNames: ['state'],
    ...common,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, ...common });
  const overdue = gauge(
    'pda_feed_overdue_seconds',
    'How long the feed that has been due longest has waited for a gateway, in seconds; 0 if none waits.',
  );
  const stalest = gauge(
    'pda_feed_stalest_seconds',
    'Of all feeds that are not paused, the longest time since the last success (or since it was added) beyond its interval, in seconds; 0 if all are in time.',
  );

  return {
    watch(database: Database) {
      let since: Date | undefined;
      let noted = new Map<bigint, number>();
      readWith(async () => {
        const [state] = await database.query<State>(READ_STATE, [], { name: 'feed_metrics' });
        if (!state) return;
        since ??= state.now;
        const from = new Date(since.getTime() - OVERLAP_MS);
        const ended = await database.query<Run>(READ_RUNS, [from, MOST_RUNS], { name: 'feed_metrics' });
        const isFirst = noted.size === 0 && since === state.now;
        for (const run of ended) {
          if (!noted.has(run.id) && !(isFirst && run.finished_at <= since)) {
            runs.inc({ outcome: run.outcome });
            seconds.observe(run.seconds);
          }
          noted.set(run.id, run.finished_at.getTime());
        }
        since = ended.at(-1)?.finished_at ?? since;
        const oldest = since.getTime() - 2 * OVERLAP_MS;
        noted = new Map([...noted].filter(([, at]) => at > oldest));
        for (const [name, count] of [
          ['all', state.feeds],
          ['running', state.running],
          ['paused', state.paused],
          ['failing', state.failing],
          ['unconfirmed', state.unconfirmed],
        ] as const) {
          feeds.set({ state: name }, count);
        }
        overdue.set(state.overdue);
        stalest.set(state.stalest);
      });
      void refresh(); // Runs are counted from here.
    },
  };
}

// One pass over at most ten thousand feeds.
const READ_STATE = `
  SELECT clock_timestamp()::timestamptz(3) AS now,
         count(*)::int AS feeds,
         (count(*) FILTER (WHERE paused_at IS NOT NULL))::int AS paused,
         (count(*) FILTER (WHERE failures > 0 AND paused_at IS NULL))::int AS failing,
         (count(*) FILTER (WHERE needs_confirmation_at IS NOT NULL))::int AS unconfirmed,
         (count(*) FILTER (WHERE leased_until > now()))::int AS running,
         COALESCE(EXTRACT(EPOCH FROM max(now() - next_run_at) FILTER (
           WHERE paused_at IS NULL AND next_run_at <= now() AND (leased_until IS NULL OR leased_until < now())
         )), 0)::float8 AS overdue,
         COALESCE(GREATEST(0, EXTRACT(EPOCH FROM max(
           now() - COALESCE(last_success_at, created_at) - make_interval(secs => every_seconds)
         ) FILTER (WHERE paused_at IS NULL))), 0)::float8 AS stalest
  FROM feed`;

// By feed_run_finished_idx.
const READ_RUNS = `
  SELECT id, outcome::text AS outcome, finished_at, EXTRACT(EPOCH FROM finished_at - started_at)::float8 AS seconds
  FROM feed_run
  WHERE finished_at >= $1::timestamptz
  ORDER BY finished_at, id
  LIMIT $2::int`;
