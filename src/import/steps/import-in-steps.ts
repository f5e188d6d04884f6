/**
 * Writes the staged rows to the embedded database in steps. It has one session, so a transaction for the whole feed would make all requests
 * wait for its end. Each step is a transaction of some tens of milliseconds and imports whole groups of rows (group-rows.ts), so readers never see
 * half a product, and the steps together have the result of one transaction. Withdrawals come last, and then the record of the run.
 *
 * Whether the feed is refused is decided before the first step. The import holds its turn among the writers until the end. If it is
 * interrupted, some products have their new offers and others their old ones; the next import finds what is missing.
 */
import { recordAudit } from '../../access/audit.ts';
import { TAG, tagOf } from '../../catalogue/tags.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { named } from '../../database/observed.ts';
import { bytesOfChanges } from '../disk-space.ts';
import { isTooMuch, refused } from '../feed-refused.ts';
import { raiseVersion } from '../figures.ts';
import type { ImportSummary, StartedImport } from '../import-request.ts';
import { nextRunId, recordRun } from '../import-run.ts';
import { recordTags } from '../invalidation.ts';
import { openMatchingRejects } from '../matching-rejects.ts';
import { findNextFull } from '../placed-feed.ts';
import { soleValue } from '../sole-value.ts';
import type { Outlets } from '../stage-feed.ts';
import { holdWriters, inTransaction } from '../write-lock.ts';
import { findGone, type Gone } from './find-gone.ts';
import { type Group, type GroupedRows, groupRows, type Place } from './group-rows.ts';
import { refreshPopularInSlices } from './popular-slices.ts';
import { openSteps, type Steps } from './run-steps.ts';
import { createStepTables, dropStepTables } from './step-tables.ts';

const NONE_GONE: Gone = { offers: [], count: 0, inForce: 0 };

// The limit on offers can concern only groups with more rows.
const MOST_OFFERS = 20;

const ROWS_A_CONFIRMATION = 1_000;

/** Imports the staged rows. @param read the number of rows in the feed. */
export function importInSteps(
  database: Database,
  outlets: Outlets,
  request: StartedImport,
  read: number,
  pricesChangeAt: Date | undefined,
): Promise<ImportSummary> {
  return holdWriters(database, true, async () => {
    await createStepTables(database, outlets.staging.table);
    try {
      return await run(database, outlets, request, read, pricesChangeAt);
    } finally {
      await dropStepTables(database);
    }
  });
}

async function run(
  database: Database,
  { staging, rejects, disks, knownRows, accepted }: Outlets,
  request: StartedImport,
  read: number,
  pricesChangeAt: Date | undefined,
): Promise<ImportSummary> {
  const { observedAt, isDryRun = false } = request;
  const isFull = request.mode === 'full';
  const planning = named(database, 'import_plan', true);
  const place = await findPlace(planning, request);
  const { merchantId } = place;
  if (merchantId !== null) {
    const feed = {
      transaction: planning,
      allRows: staging.table,
      merchantId,
      nextFullAt: place.nextFullAt,
      observedAt,
    };
    await knownRows.confirm(feed, ROWS_A_CONFIRMATION);
  }
  const matchingRejects = openMatchingRejects(rejects, accepted);
  const steps = openSteps(database, { staging, request, hasKnownRows: knownRows.areSome, rejects, matchingRejects });
  let rows = await groupRows(planning, staging.table, place, read);
  const gone = isFull ? await findGone(planning, place, observedAt, rows.listed) : NONE_GONE;
  if (!request.isForced && isFull && (await isRefused(gone, rows, steps))) throw refused(request.merchant, gone);
  const changes = { ...rows.counts, withdrawn: gone.count };
  await disks.requireRoom(await bytesOfChanges(planning, staging, changes), rejects.room);

  const settled = rows.disputing?.rows ?? [];
  if (settled.length > 0 || (place.nextFullAt === null && (await hasDisputes(planning, merchantId)))) {
    await steps.settle(settled);
    // What the other rows lead to may have moved.
    if (steps.counts.identifiersMoved > 0) rows = await groupRows(planning, staging.table, place, read);
  }
  await steps.importGroups(without(new Set(settled), rows, isFull));
  await steps.withdraw(gone);
  // Even if no step changed the rank of a product: an earlier import may have ended between its steps and this.
  const isPopularChanged =
    !isDryRun && (await refreshPopularInSlices(database, () => request.signal?.throwIfAborted()));

  return inTransaction(
    database,
    isDryRun,
    async (transaction) => {
      matchingRejects.add();
      const { new: added, changed, withdrawn, identifiersMoved } = steps.counts;
      const { count: rejected, reasons, notWritten: rejectsNotWritten } = rejects;
      const same = read - rejected - added - changed;
      const moved = identifiersMoved > 0 && { identifiersMoved };
      const offers = { read, new: added, changed, same, withdrawn };
      const summary = { ...offers, rejected, reasons: { ...reasons }, rejectsNotWritten, ...moved };
      const isSearchChanged = isPopularChanged || steps.isRankChanged;
      await record(transaction, steps, { request, summary, isSearchChanged, pricesChangeAt });
      return summary;
    },
    { yields: true },
  );
}

async function findPlace(database: Queryable, { merchant, observedAt }: StartedImport): Promise<Place> {
  const [known] = await database.query<{ id: bigint }>('SELECT id FROM merchant WHERE name = $1::text', [merchant]);
  if (!known) return { merchantId: null, nextFullAt: null };
  return { merchantId: known.id, nextFullAt: await findNextFull(database, known.id, observedAt) };
}

async function hasDisputes(database: Queryable, merchantId: bigint | null): Promise<boolean> {
  const sql = 'SELECT EXISTS (SELECT FROM identifier_dispute WHERE merchant_id = $1) AS some';
  return soleValue(database, sql, [merchantId]);
}

/**
 * Whether the feed would withdraw more than half of the shop's offers. Those that the limit on offers withdraws do not count; how many they
 * are is found out only if it matters.
 */
async function isRefused({ count, inForce }: Gone, rows: GroupedRows, steps: Steps): Promise<boolean> {
  if (isTooMuch({ count, inForce })) return true;
  const crowded = function* () {
    for (const group of all(rows)) if (group.rows.length > MOST_OFFERS) yield group;
  };
  let most = 0;
  for (const group of crowded()) most += group.rows.length;
  if (!isTooMuch({ count, inForce: inForce - most })) return false;
  return isTooMuch({ count, inForce: inForce - (await steps.countSurplus(crowded())) });
}

function* all(rows: GroupedRows): Generator<Group> {
  if (rows.disputing) yield rows.disputing;
  yield* rows.others();
}

/** The groups to import after the disputes: all of a delta, whose offers all count as seen, and those of a full feed whose outcome is open. */
function* without(done: ReadonlySet<number>, rows: GroupedRows, isFull: boolean): Generator<Group> {
  for (const group of all(rows)) {
    const left = done.size === 0 ? group.rows : group.rows.filter((row) => !done.has(row));
    if (left.length > 0 && (group.isOpen || !isFull)) yield { ...group, rows: left };
  }
}

interface Outcome {
  request: StartedImport;
  summary: ImportSummary;
  /** Whether suggestions may be other ones than before. */
  isSearchChanged: boolean;
  pricesChangeAt: Date | undefined;
}

/** Records the run, after everything else. */
async function record(
  transaction: Queryable,
  steps: Steps,
  { request, summary, isSearchChanged, pricesChangeAt }: Outcome,
): Promise<void> {
  const place = await steps.placeIn(transaction);
  const { merchantId, isFull } = place;
  const runId = await nextRunId(transaction);
  await recordRun({ ...place, transaction: named(transaction, 'import_record'), runId }, request, summary);
  const version = await raiseVersion(transaction);
  await recordTags(transaction, version, [
    tagOf('merchantRow', merchantId),
    TAG.merchants,
    ...(isFull ? [tagOf('seenWhole', merchantId), TAG.allSeenWhole] : []),
    ...(isSearchChanged ? [TAG.search] : []),
  ]);
  if (request.isForced) {
    const { merchant, mode, observedAt } = request;
    await recordAudit(transaction, {
      action: 'import.force',
      after: { merchant, mode, observedAt, withdrawn: summary.withdrawn },
    });
  }
  await request.onRecorded?.(transaction, { runId, merchantId, summary, pricesChangeAt });
}
