/**
 * Matches the stream of changes to webhooks, in the background. A step takes a page of changes after the shared position, adds the
 * messages that they cause to the queue, and moves the position on, in one transaction: each change is matched exactly once, by one gateway.
 */

import type { Market } from '../../catalogue/market.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { readRows } from '../../ledger/changes/read-changes.ts';
import { enqueueMessages, type NewMessage } from '../delivery-queue.ts';
import type { WebhookKind } from '../kinds.ts';
import { arrivedOffers, eventsOf, foundEvents, type WebhookEvent } from './events.ts';
import { type Groups, indexWatching, kindsFor, type Watching } from './matches.ts';
import { messageOf } from './message.ts';
import {
  disableOverflowing,
  lockPosition,
  type MatchState,
  movePosition,
  nameOf,
  readIdentifiersAfter,
  readProducts,
  readReturned,
  readShops,
  readSilent,
  readState,
  readWatching,
  skipTo,
} from './read-matching.ts';

/** The most changes in a step. To read them and to write their messages takes the process a few milliseconds. */
export const MOST_CHANGES = 200;
/**
 * The most messages of a step, which are in memory together. Thousands of webhooks may want each change; a step then takes fewer changes,
 * but at least one.
 */
export const MOST_MESSAGES = 10_000;

const PAUSES = {
  /** The pause after all changes were matched. */
  idleMs: 400,
  /** The pause while no webhook is enabled. */
  withoutWebhooksMs: 1_000,
  /** The pause after a failure. */
  failedMs: 2_000,
};

/** Receives what happens, for metrics and the log. */
export interface MatchObserver {
  /** The number of changes that are not matched yet, after each look. */
  onLag(changes: number): void;
  /** Messages were added to the queue. */
  onMessages(count: number): void;
  /** A webhook was disabled, because too many messages wait for it. */
  onOverflow(webhookId: bigint): void;
  /** A step failed and is retried. */
  onFailure(error: unknown): void;
}

/** Starts matching. @param pauses in milliseconds. */
export function startMatching(database: Database, market: Market, observer: MatchObserver, pauses = PAUSES) {
  let isStopped = false;
  let timer = setTimeout(look, pauses.idleMs).unref();

  async function look(): Promise<void> {
    let pauseMs = pauses.failedMs;
    try {
      pauseMs = await takeStep();
    } catch (error) {
      if (!isStopped) observer.onFailure(error);
    }
    if (!isStopped) timer = setTimeout(look, pauseMs).unref();
  }

  /** @returns the pause before the next step. */
  async function takeStep(): Promise<number> {
    const state = await readState(database);
    observer.onLag(lagOf(state));
    if (lagOf(state) === 0) return state.isWatched ? pauses.idleMs : pauses.withoutWebhooksMs;
    if (!state.isWatched) {
      await skipTo(database, state.head);
      return pauses.withoutWebhooksMs;
    }
    const matched = await database.transaction((transaction) => matchStep(transaction, market));
    if (!matched) return pauses.idleMs;
    if (matched.messages > 0) observer.onMessages(matched.messages);
    for (const id of matched.overflowing) observer.onOverflow(id);
    return matched.hasMore ? 0 : pauses.idleMs;
  }

  return {
    /** Takes no more steps. A running step is one transaction, so nobody has to wait for it. */
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

const lagOf = ({ head, position }: MatchState) => Number(head - position);

interface Matched {
  /** Whether more changes may wait. */
  hasMore: boolean;
  messages: number;
  overflowing: ReadonlySet<bigint>;
}

/** Matches the next changes. @returns `undefined` if another gateway is at it. */
async function matchStep(transaction: Queryable, market: Market): Promise<Matched | undefined> {
  const position = await lockPosition(transaction);
  if (position === undefined) return undefined;
  const rows = await readRows(transaction, position, ['offer', 'product', 'figures'], MOST_CHANGES);
  const last = rows.at(-1);
  if (!last) return undefined;
  const found = rows.filter(({ kind }) => kind === 'product').map(({ productId }) => productId);
  const [returned, known] = [
    await readReturned(transaction, arrivedOffers(rows)),
    await readIdentifiersAfter(transaction, distinct(found), last.seq),
  ];
  const events = [...eventsOf(rows, returned), ...foundEvents(rows, known)].sort((one, other) =>
    Number(one.row.seq - other.row.seq),
  );
  const { messages, overflowing, through } = await makeMessages(transaction, market, events);
  if (messages.length > 0) await enqueueMessages(transaction, messages);
  await movePosition(transaction, through ?? last.seq);
  return { hasMore: through !== undefined || rows.length === MOST_CHANGES, messages: messages.length, overflowing };
}

/** A message that a webhook gets unless it is silent or overflows. */
interface Candidate {
  webhookId: bigint;
  kind: WebhookKind;
  productId: bigint;
  event: WebhookEvent;
  below: bigint | null;
}

/**
 * The candidates of the first events: of all of them, or those up to the change by which there are {@link MOST_MESSAGES}.
 * @returns also the number of that change; `undefined` for all events.
 */
function chooseCandidates(
  events: readonly WebhookEvent[],
  watching: ReturnType<typeof indexWatching>,
  products: ReadonlyMap<bigint, Groups>,
): { candidates: Candidate[]; through: bigint | undefined } {
  const candidates: Candidate[] = [];
  let through: bigint | undefined;
  for (const event of events) {
    const { row, productId } = event;
    if (candidates.length >= MOST_MESSAGES && row.seq !== through) return { candidates, through };
    const groups = products.get(productId);
    const add = (webhook: Watching, kind: WebhookKind) =>
      candidates.push({ webhookId: webhook.id, kind, productId, event, below: webhook.below });
    for (const webhook of watching(event, groups)) {
      for (const kind of kindsFor(webhook, event, groups)) add(webhook, kind);
    }
    through = row.seq;
  }
  return { candidates, through: undefined };
}

async function makeMessages(transaction: Queryable, market: Market, events: readonly WebhookEvent[]) {
  const products = await readProducts(transaction, distinct(events.map(({ productId }) => productId)));
  const watching = indexWatching(
    await readWatching(transaction, {
      productIds: [...products.keys()],
      brandIds: distinct([...products.values()].map(({ brandId }) => brandId)),
      categoryIds: distinct([...products.values()].flatMap(({ categoryIds }) => categoryIds)),
      merchantIds: distinct(events.map(({ merchantId }) => merchantId)),
      codes: distinct(events.map(({ code }) => code)),
    }),
  );
  const { candidates, through } = chooseCandidates(events, watching, products);
  if (candidates.length === 0) return { messages: [], overflowing: new Set<bigint>(), through };
  const silent = await readSilent(transaction, candidates);
  const spoken = new Set(silent);
  const overflowing = await disableOverflowing(transaction, distinct(candidates.map(({ webhookId }) => webhookId)));
  const shops = await readShops(transaction, distinct(events.map(({ merchantId }) => merchantId)));
  const messages: NewMessage[] = [];
  for (const candidate of candidates) {
    if (overflowing.has(candidate.webhookId)) continue;
    // Each code becomes known once, so it needs no silence.
    const name = candidate.kind === 'product_found' ? undefined : nameOf(candidate);
    if (name !== undefined && spoken.has(name)) continue;
    if (name !== undefined) spoken.add(name);
    const { webhookId, kind, event, below } = candidate;
    const product = products.get(event.productId);
    const merchant = event.merchantId === null ? undefined : shops.get(event.merchantId);
    if (!product) continue;
    messages.push({
      webhookId,
      kind,
      productId: event.productId,
      seq: event.row.seq,
      payload: messageOf({ webhookId, kind, event, product, merchant, below }, market),
    });
  }
  return { messages, overflowing, through };
}

const distinct = <Value>(values: readonly (Value | null | undefined)[]): Value[] => [
  ...new Set(values.filter((value): value is Value => value !== null && value !== undefined)),
];
