/** Metrics of imports, which run in other processes, and of the digest that follows them, from the database. All processes read the same rows, so do not sum their figures. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Database, Queryable } from '../database/database.ts';
import { prismaOf } from '../database/prisma-of.ts';
import type { ImportRun } from '../generated/prisma/client.ts';
import { queueLength } from '../ledger/digest/digest-step.ts';
import { once } from '../remember.ts';
import { openRefreshing } from './refreshing.ts';

const MOST_RUNS = 1_000;
const MOST_SHOPS = 500;

/** The newest import, by the numbers of the completed and of the failed ones. */
export interface ImportPosition {
  run: bigint;
  failure: bigint;
}

/** Reads the current position; imports that end later have higher numbers. */
export async function readImportPosition(database: Queryable): Promise<ImportPosition> {
  const [last] = await database.query<ImportPosition>(LAST, [], { name: 'import_position' });
  return last ?? { run: 0n, failure: 0n };
}

/** `watch` sets the database to read from; runs are counted from then on, or from a given position. */
export function openImportMetrics(registry: Registry) {
  const { refresh, readWith } = openRefreshing();
  const common = { registers: [registry], collect: refresh, aggregator: 'max' as const };
  const runs = new Counter({
    name: 'pda_import_runs_total',
    help: 'Imports that have ended since this gateway started, in any process, by result.',
    labelNames: ['result'],
    ...common,
  });
  for (const result of ['done', 'refused', 'broken', 'failed']) runs.inc({ result }, 0);
  const rows = new Counter({
    name: 'pda_import_rows_total',
    help: 'Rows of completed imports, by outcome.',
    labelNames: ['outcome'],
    ...common,
  });
  const seconds = new Histogram({
    name: 'pda_import_seconds',
    help: 'Duration of completed imports in seconds.',
    buckets: [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
    ...common,
  });
  const lastSuccess = new Gauge({
    name: 'pda_import_last_success_timestamp_seconds',
    help: 'Time of the newest feed of each shop with offers: --observed-at, or else the time of its import.',
    labelNames: ['merchant'],
    ...common,
  });

  const due = new Gauge({
    name: 'pda_digest_due_products',
    help: 'Products whose deals and figures for analysts are older than their ledger: waiting, or set aside after a failure.',
    labelNames: ['state'],
    ...common,
  });

  const note = ({ startedAt, finishedAt, added, changed, same, withdrawn, rejected }: ImportRun) => {
    runs.inc({ result: 'done' });
    if (startedAt) seconds.observe((finishedAt.getTime() - startedAt.getTime()) / 1000);
    for (const [outcome, count] of Object.entries({ new: added, changed, same, withdrawn, rejected })) {
      rows.inc({ outcome }, count);
    }
  };
  /** The next rows by id. Imports are written one after the other, so a higher number means a later import. */
  const after = (id: bigint) => ({ where: { id: { gt: id } }, orderBy: { id: 'asc' }, take: MOST_RUNS }) as const;

  return {
    watch(database: Database, from?: ImportPosition) {
      const start = once(async () => (from ? { ...from } : readImportPosition(database)));
      start().catch(() => {}); // The next scrape tries again.
      readWith(async () => {
        const since = await start();
        const prisma = await prismaOf(database);
        const done = await prisma.importRun.findMany(after(since.run));
        for (const run of done) note(run);
        since.run = done.at(-1)?.id ?? since.run;
        const failures = await prisma.importFailure.findMany(after(since.failure));
        for (const { reason } of failures) runs.inc({ result: reason });
        since.failure = failures.at(-1)?.id ?? since.failure;
        const shops = await prisma.merchant.findMany({
          where: { offerCount: { gt: 0 }, observedAt: { not: null } },
          // The stalest shops first, in case there are more than the limit.
          orderBy: [{ observedAt: 'asc' }, { id: 'asc' }],
          take: MOST_SHOPS,
        });
        const { waiting, setAside } = await queueLength(database);
        due.set({ state: 'waiting' }, waiting);
        due.set({ state: 'set_aside' }, setAside);
        lastSuccess.reset();
        for (const { slug, observedAt } of shops) lastSuccess.set({ merchant: slug }, Number(observedAt) / 1000);
      });
    },
  };
}

const LAST = `
  SELECT COALESCE((SELECT max(id) FROM import_run), 0) AS run,
         COALESCE((SELECT max(id) FROM import_failure), 0) AS failure`;
