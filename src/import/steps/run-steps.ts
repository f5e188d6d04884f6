/** Imports rows and withdraws offers in steps, each of which is a transaction of the embedded database. */
import type { Database, Queryable } from '../../database/database.ts';
import { named } from '../../database/observed.ts';
import type { ImportSummary, StartedImport } from '../import-request.ts';
import { forgetContent, nextRunId } from '../import-run.ts';
import { matchProducts } from '../match.ts';
import { hasFaults, type MatchingRejects } from '../matching-rejects.ts';
import { rejectSurplus } from '../offer-limit.ts';
import { type PlacedFeed, placeFeed } from '../placed-feed.ts';
import { planChanges, planSurplus, planWithdrawals } from '../plan-writes.ts';
import type { Rejects } from '../rejects.ts';
import type { Staging } from '../staging.ts';
import { writeFeed } from '../write.ts';
import { inTransaction } from '../write-lock.ts';
import type { Gone } from './find-gone.ts';
import type { Group } from './group-rows.ts';
import { openStepSize } from './step-size.ts';
import { emptyStepTables, fillStep, STEP_ROWS } from './step-tables.ts';

interface Options {
  staging: Staging;
  request: StartedImport;
  hasKnownRows: boolean;
  rejects: Rejects;
  matchingRejects: MatchingRejects;
}

interface Step {
  rows: readonly number[];
  /** Offers to withdraw. */
  gone?: readonly number[];
  /** Whether the rows are all those that may start or end a dispute. */
  settles?: boolean;
}

type Counts = Pick<ImportSummary, 'new' | 'changed' | 'withdrawn'> & { identifiersMoved: number };

export type Steps = ReturnType<typeof openSteps>;

// The index of searches is cleaned in the same portions: all at once, it would take long.
const ROWS_A_CLEANING = 400;
// The statistics of the first steps serve the others: new ones would cost more, and all plans with them.
const ANALYSED_STEPS = 3;

// A group of rows that belong together may be larger than any step should be. The plans of steps would take quadratic time for it.
const LARGE = 2_000;
// Merge joins are chosen for the ids of the first step, and would read an index from its beginning up to those of the last.
const FOR_STEP = 'SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_mergejoin = off';
const FOR_LARGE_STEP = 'SET LOCAL plan_cache_mode = force_custom_plan';

export function openSteps(database: Database, { staging, request, hasKnownRows, rejects, matchingRejects }: Options) {
  const { isDryRun = false } = request;
  const size = openStepSize(100, request.mostRowsAStep);
  const counts: Counts = { new: 0, changed: 0, withdrawn: 0, identifiersMoved: 0 };
  let placed: PlacedFeed | undefined;
  let isRankChanged = false;
  let notCleaned = 0;
  let step = 0;

  /** The feed's place; adds the shop with the first step. */
  const placeIn = async (transaction: Queryable, table = staging.table): Promise<PlacedFeed> => {
    placed ??= await placeFeed(transaction, staging, request, hasKnownRows);
    return { ...placed, transaction, table };
  };

  /**
   * Plans and writes a step. A step of a dry run is rolled back, which changes nothing for others: no row of theirs depends on it.
   * @returns the time in milliseconds for which the step blocked the database, without its wait for a turn.
   */
  async function run({ rows, gone = [], settles = false }: Step): Promise<number> {
    request.signal?.throwIfAborted();
    step += 1;
    const isFirst = step === 1;
    const isLarge = rows.length + gone.length > LARGE;
    let startedAt = 0;
    const written = await inTransaction(
      database,
      isDryRun,
      async (transaction) => {
        startedAt = performance.now();
        await transaction.script(isLarge ? FOR_LARGE_STEP : FOR_STEP);
        await request.onStep?.(transaction);
        const feed = { ...(await placeIn(transaction, STEP_ROWS)), hasStatistics: step > ANALYSED_STEPS && !isLarge };
        const within = (phase: string) => ({ ...feed, transaction: named(transaction, phase) });
        let identifiersMoved = 0;
        if (rows.length > 0 || settles) {
          await fillStep(named(transaction, 'import_match'), staging.table, rows);
          identifiersMoved = await matchProducts(within('import_match'), settles);
          await planStep(within('import_plan'));
        }
        if (gone.length > 0) await planWithdrawals(within('import_plan'), gone);
        // Each step has its own number, because the digest may come between two steps, and after matching, whose moves of offers have theirs.
        const runId = await nextRunId(transaction);
        const result = await writeFeed({ ...within('import_write'), runId });
        await matchingRejects.collect(transaction, feed);
        // If the import is interrupted, the next one must not take the feed for unchanged.
        if (isFirst) await forgetContent(transaction, feed.merchantId);
        await emptyStepTables(transaction, step, isLarge);
        return { ...result, identifiersMoved };
      },
      { yields: true, keepsPlans: true },
    );
    const blockedMs = performance.now() - startedAt;
    if (isDryRun) placed = undefined;
    counts.new += written.added;
    counts.changed += written.changed;
    counts.withdrawn += written.withdrawn;
    counts.identifiersMoved += written.identifiersMoved;
    isRankChanged ||= written.isRankChanged;
    notCleaned += written.added;
    if (notCleaned >= ROWS_A_CLEANING && !isDryRun) {
      notCleaned = 0;
      await database.query('SELECT clean_search_index()', [], { yields: true });
    }
    return blockedMs;
  }

  /** @returns how many offers in force the limit on offers withdraws. */
  async function planStep(feed: PlacedFeed): Promise<number> {
    const surplus = await rejectSurplus(feed, rejects.count > 0 || (await hasFaults(feed.transaction)));
    await planChanges(feed);
    return surplus > 0 && feed.isFull ? planSurplus(feed) : 0;
  }

  return {
    counts,
    placeIn,
    get isRankChanged() {
      return isRankChanged;
    },
    /** Imports the rows that may start or end disputes, in one step: whether identifiers move depends on all of them. */
    async settle(rows: readonly number[]): Promise<void> {
      await run({ rows, settles: true });
    },
    /** Imports groups in their order. A group with more rows than a step should have is a step of its own. */
    async importGroups(groups: Iterable<Group>): Promise<void> {
      let rows: number[] = [];
      const end = async () => {
        const [step, length] = [rows, rows.length];
        rows = [];
        if (length > 0) size.learn(length, await run({ rows: step.sort((one, other) => one - other) }));
      };
      for (const group of groups) {
        if (rows.length + group.rows.length > size.rows) await end();
        for (const row of group.rows) rows.push(row);
        if (rows.length >= size.rows) await end();
      }
      await end();
    },
    /** Withdraws offers; those of one product in one step. */
    async withdraw({ offers }: Pick<Gone, 'offers'>): Promise<void> {
      for (let from = 0; from < offers.length; ) {
        let to = Math.min(from + size.rows, offers.length);
        while (to < offers.length && offers[to]?.product === offers[to - 1]?.product) to += 1;
        const gone = offers.slice(from, to).map(({ id }) => id);
        size.learn(gone.length, await run({ rows: [], gone }));
        from = to;
      }
    },
    /** Finds how many offers in force of these groups would be withdrawn because of the limit on offers. Nothing is written. */
    async countSurplus(groups: Iterable<Group>): Promise<number> {
      let surplus = 0;
      for (const { rows } of groups) {
        surplus += await inTransaction(
          database,
          true,
          async (transaction) => {
            const place = await placeFeed(transaction, staging, request, hasKnownRows);
            const feed = { ...place, transaction: named(transaction, 'import_plan'), table: STEP_ROWS };
            await fillStep(feed.transaction, staging.table, rows);
            await matchProducts(feed, false);
            return planStep(feed);
          },
          { yields: true },
        );
      }
      return surplus;
    },
  };
}
