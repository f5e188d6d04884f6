/** Reads pages of the stream of changes for clients, at their price. */
import { decodeChangesCursor, encodeChangesCursor } from '../../ledger/changes/changes-cursor.ts';
import { readExtent } from '../../ledger/changes/read-changes.ts';
import { Problem } from '../../problem.ts';
import { invalid, requireUpTo } from '../arguments.ts';
import type { Context } from '../builder.ts';
import { type ChangeFilter, type ChangeSelection, selectChanges } from './change-filter.ts';
import { type ChangeLine, changeLine, type ShownChangeRow } from './change-line.ts';
import { readWindow } from './read-window.ts';

/** The most changes on a page, and the usual number. */
export const MOST_CHANGES = 1_000;
export const DEFAULT_CHANGES = 100;
/** The changes that one request pays for. */
export const CHANGES_OF_A_REQUEST = 100;
/** The cursor that stands after the last change. */
export const NOW = 'now';

// A filter that matches rarely must not read the whole stream for one page, nor in one statement.
const LONGEST_MS = 500;
const FIRST_WINDOW = 10_000n;
const LARGEST_WINDOW = 100_000n;
// By product, the rows of others are not read.
const LARGEST_WINDOW_OF_PRODUCTS = 10_000_000n;
const GROWTH = 4n;

/** A page of the stream. */
export interface ChangePage {
  nodes: ChangeLine[];
  nextCursor: string;
  /** Whether more can be read now. */
  hasMore: boolean;
}

interface ChangeArguments extends ChangeFilter {
  after?: string | null | undefined;
  first?: number | null | undefined;
}

/** The changes found, and the number that the stream was read up to. */
interface Found {
  rows: ShownChangeRow[];
  place: bigint;
  hasMore: boolean;
}

/**
 * Reads a page and charges for its changes beyond the first hundred. The page is shortened to what remains of the quota.
 * @throws {Problem} `invalid_parameter`; `cursor_expired` if changes after the cursor are no longer kept.
 */
export async function readChanges({ after, first, ...filter }: ChangeArguments, context: Context): Promise<ChangePage> {
  requireUpTo(MOST_CHANGES, 'first', first);
  const start = after == null || after === NOW ? after : readCursor(after);
  const selection = await selectChanges(filter, context);
  const found = await find(selection, start, first ?? DEFAULT_CHANGES, context);
  const { rows, place, hasMore } = await pay(found, context);
  return { nodes: await render(rows, context), nextCursor: encodeChangesCursor(place), hasMore };
}

function readCursor(cursor: string): bigint {
  const seq = decodeChangesCursor(cursor);
  if (seq !== undefined) return seq;
  throw invalid(
    'after',
    'The cursor is damaged or belongs to another list: use `nextCursor` of the last page unchanged.',
  );
}

async function find(
  selection: ChangeSelection | undefined,
  start: bigint | typeof NOW | null | undefined,
  limit: number,
  { catalogue }: Context,
): Promise<Found> {
  let place: bigint;
  if (typeof start === 'bigint' && selection) place = start;
  else {
    const { head, forgotten } = await readExtent(catalogue);
    place = typeof start === 'bigint' ? start : start === NOW ? head : forgotten;
    if (place < forgotten || place > head) throw expired();
    if (!selection) return { rows: [], place: head, hasMore: false };
  }

  const rows: ShownChangeRow[] = [];
  const until = performance.now() + LONGEST_MS;
  const largest = selection.productIds ? LARGEST_WINDOW_OF_PRODUCTS : LARGEST_WINDOW;
  for (let size = FIRST_WINDOW; ; size = size * GROWTH < largest ? size * GROWTH : largest) {
    const window = { after: place, upTo: place + size };
    // One change more tells whether the page is all.
    const read = await readWindow(catalogue, selection, window, limit + 1 - rows.length);
    if (place < read.forgotten || place > read.head) {
      // Changes were deleted meanwhile. What was read before is whole; the next page is refused.
      if (rows.length > 0) return { rows, place, hasMore: true };
      if (typeof start === 'bigint' || place > read.head) throw expired();
      place = read.forgotten;
      continue;
    }
    rows.push(...read.rows);
    if (rows.length > limit) return cut(rows, limit);
    place = window.upTo < read.head ? window.upTo : read.head;
    if (place === read.head || performance.now() > until) return { rows, place, hasMore: place < read.head };
  }
}

/** The first changes of a page, which more follow. */
function cut(rows: ShownChangeRow[], limit: number): Found {
  const shown = rows.slice(0, limit);
  return { rows: shown, place: shown.at(-1)?.seq ?? 0n, hasMore: true };
}

/** The request itself pays for the first hundred. */
async function pay(found: Found, { access }: Context): Promise<Found> {
  const further = Math.ceil(found.rows.length / CHANGES_OF_A_REQUEST) - 1;
  if (further <= 0) return found;
  const granted = await access.chargeUpTo(further);
  return granted === further ? found : cut(found.rows, (1 + granted) * CHANGES_OF_A_REQUEST);
}

async function render(rows: readonly ShownChangeRow[], { loaders, market }: Context): Promise<ChangeLine[]> {
  const merchantIds = [...new Set(rows.flatMap(({ merchantId }) => (merchantId === null ? [] : [merchantId])))];
  const merchants = await Promise.all(merchantIds.map((id) => loaders.merchant.load(id)));
  const byId = new Map(merchantIds.map((id, index) => [id, merchants[index]]));
  return rows.map((row) => changeLine(row, row.merchantId === null ? undefined : byId.get(row.merchantId), market));
}

const expired = () =>
  new Problem(
    'cursor_expired',
    'The service no longer has the changes after this cursor, or never had them: export the catalogue again (/api/v1/exports/products and /api/v1/exports/offers), then continue with the cursor of the export.',
    { parameter: 'after' },
  );
