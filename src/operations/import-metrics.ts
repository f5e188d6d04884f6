/**
 * Metrics of imports, which run in other processes. They are read from the database at a scrape, at most once a second. All gateways
 * read the same rows, so do not sum their figures.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Queryable } from '../database/database.ts';

export interface ImportMetrics {
  /** Sets the database to read from; runs are counted from now on. */
  watch(database: Queryable): void;
}

const FRESH_MS = 1_000;
// The other metrics must not wait for a database that does not answer, since they show that failure.
const PATIENCE_MS = 1_000;
const MOST_RUNS = 1_000;
const MOST_SHOPS = 500;

interface Run {
  id: bigint;
  seconds: number | null;
  added: number;
  changed: number;
  same: number;
  withdrawn: number;
  rejected: number;
}

export function openImportMetrics(registry: Registry): ImportMetrics {
  const registers = [registry];
  let refreshing: Promise<void> | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let read: (() => Promise<void>) | undefined;

  const refresh = (): Promise<void> => {
    if (!read || performance.now() - refreshedAt < FRESH_MS) return Promise.resolve();
    refreshing ??= read()
      // The metrics of the database show the failure; the last figures stay.
      .catch(() => {})
      .finally(() => {
        refreshing = undefined;
        refreshedAt = performance.now();
      });
    return Promise.race([refreshing, new Promise<void>((resolve) => void setTimeout(resolve, PATIENCE_MS).unref())]);
  };

  const runs = new Counter({
    name: 'pda_import_runs_total',
    help: 'Imports that have ended since this gateway started, in any process, by result.',
    labelNames: ['result'],
    registers,
    collect: refresh,
  });
  for (const result of ['done', 'refused', 'broken', 'failed']) runs.inc({ result }, 0);
  const rows = new Counter({
    name: 'pda_import_rows_total',
    help: 'Rows of completed imports, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect: refresh,
  });
  const seconds = new Histogram({
    name: 'pda_import_seconds',
    help: 'Duration of completed imports in seconds.',
    buckets: [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
    registers,
    collect: refresh,
  });
  const lastSuccess = new Gauge({
    name: 'pda_import_last_success_timestamp_seconds',
    help: 'Time of the newest feed of each shop with offers: --observed-at, or else the time of its import.',
    labelNames: ['merchant'],
    registers,
    collect: refresh,
  });

  const note = ({ seconds: took, added, changed, same, withdrawn, rejected }: Run) => {
    runs.inc({ result: 'done' });
    if (took !== null) seconds.observe(took);
    for (const [outcome, count] of Object.entries({ new: added, changed, same, withdrawn, rejected })) {
      rows.inc({ outcome }, count);
    }
  };

  return {
    watch(database) {
      let since: { run: bigint; failure: bigint } | undefined;
      read = async () => {
        if (!since) {
          const [last] = await database.query<{ run: bigint; failure: bigint }>(LAST, [], { name: 'import_position' });
          since = last ?? { run: 0n, failure: 0n };
        }
        const done = await database.query<Run>(RUNS, [since.run, MOST_RUNS], { name: 'import_runs' });
        for (const run of done) note(run);
        since.run = done.at(-1)?.id ?? since.run;
        const failures = await database.query<{ id: bigint; reason: string }>(FAILURES, [since.failure, MOST_RUNS], {
          name: 'import_failures',
        });
        for (const { reason } of failures) runs.inc({ result: reason });
        since.failure = failures.at(-1)?.id ?? since.failure;
        const shops = await database.query<{ slug: string; at: Date }>(SHOPS, [MOST_SHOPS], { name: 'import_shops' });
        lastSuccess.reset();
        for (const { slug, at } of shops) lastSuccess.set({ merchant: slug }, at.getTime() / 1000);
      };
      void refresh(); // Sets where counting starts.
    },
  };
}

// Uses the primary keys. Imports are written one after the other, so a higher number means a later import.
const LAST = `
  SELECT COALESCE((SELECT max(id) FROM import_run), 0) AS run,
         COALESCE((SELECT max(id) FROM import_failure), 0) AS failure`;
const RUNS = `
  SELECT id, EXTRACT(EPOCH FROM finished_at - started_at)::float8 AS seconds, added, changed, same, withdrawn, rejected
  FROM import_run
  WHERE id > $1::bigint
  ORDER BY id
  LIMIT $2::int`;
const FAILURES = `
  SELECT id, reason
  FROM import_failure
  WHERE id > $1::bigint
  ORDER BY id
  LIMIT $2::int`;
// The stalest shops first, in case there are more than the limit.
const SHOPS = `
  SELECT slug, observed_at AS at
  FROM merchant
  WHERE offer_count > 0 AND observed_at IS NOT NULL
  ORDER BY observed_at, id
  LIMIT $1::int`;
