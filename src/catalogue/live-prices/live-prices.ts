/**
 * Delivers price changes to the subscriptions of this process. Importers write them into the stream of changes, in the order of commits
 * and without gaps. While there are subscriptions, the process reads the end of the stream twice a second, and then the events since the
 * last one, for all subscriptions together. This works across instances. PostgreSQL's LISTEN would save the polling but not the reads:
 * notifications during a reconnect are lost, and connection poolers do not support LISTEN.
 *
 * A subscription that continues after an earlier event reads the stream by itself, a page whenever its client has taken the last one, until
 * it has reached the position of the process. From there on it is served together with all others. A subscription whose inbox is full falls
 * back to that, so no event is lost or repeated either way.
 */
import { openKeyCounts } from '../../access/key-counts.ts';
import { endedKey } from '../../access/key-source.ts';
import { isUnavailable, type Queryable } from '../../database/database.ts';
import { readExtent, readHead } from '../../ledger/changes/read-changes.ts';
import { Problem } from '../../problem.ts';
import type { PriceEvent } from './event-record.ts';
import { type Inbox, openInbox } from './inbox.ts';
import { openListeners } from './listeners.ts';
import { compileFilter, type PriceFilter } from './price-filter.ts';
import { readOfProducts, readWindow, selectFor, WINDOW } from './read-price-events.ts';

interface Listener {
  keyId: bigint;
  filter: PriceFilter;
  /** The number of the change after which the client continues; `undefined` to start now. */
  after: bigint | undefined;
  /** Whether the key may still be used. */
  isStillValid(): Promise<boolean>;
  /** Charges one request more. @returns whether the quota had one left. */
  pay(): Promise<boolean>;
}

interface Subscription extends Listener {
  inbox: Inbox<PriceEvent>;
  accepts(event: PriceEvent): boolean;
  /** All events up to this number are delivered or in the inbox. Of a live subscription, those up to the position of the process are too. */
  position: bigint;
  /** Whether the process delivers its events; otherwise it reads the stream by itself. */
  isLive: boolean;
  /** Events up to this number were there before the subscription, which pays for them. */
  pastUntil: bigint;
  /** How many of those it has been given. */
  past: number;
  /** Whether the quota has none left for more of them. */
  isUsedUp: boolean;
}

export type LivePrices = ReturnType<typeof openLivePrices>;

/** The most subscriptions per key and process, each to at most {@link MOST_PRODUCTS} products. */
const MOST_SUBSCRIPTIONS = 20;
export const MOST_PRODUCTS = 100;
/** The most of them without products: every event has to be compared with each of these. */
const MOST_WITHOUT_PRODUCTS = 5;

const MOST_IN_PROCESS = 1_000;
const MOST_WITHOUT_PRODUCTS_IN_PROCESS = 100;
const LOOK_EVERY_MS = 500;
/** The most waiting events of a subscription, and how long they may wait for a client that takes none. */
const MOST_WAITING = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** The most events that a subscription reads by itself at a time. */
const PAGE = 500;
/** The events of the past that a request pays for, as it pays for so many changes. Opening the subscription pays for the first. */
const EVENTS_OF_A_REQUEST = 100;

export interface LivePricesOptions {
  /** Called with the number of open subscriptions when it changes. */
  onCount?(count: number): void;
  /** Called before events are delivered. When it resolves, reads of products are at least as new as the events. */
  catchUp?(): Promise<unknown>;
  longestWaitMs?: number;
}

/** Opens the live prices of a process. @param database the primary. */
export function openLivePrices(
  database: Queryable,
  { onCount = () => {}, catchUp = async () => {}, longestWaitMs = LONGEST_WAIT_MS }: LivePricesOptions = {},
) {
  const subscriptions = new Set<Subscription>();
  const live = openListeners<Subscription>();
  /** All live subscriptions have their events up to `position`. Up to `claimed`, a read for those that were live then is under way. */
  let position = 0n;
  let claimed = 0n;
  let timer: NodeJS.Timeout | undefined;
  // Subscriptions that continue take turns, so that a process reads one page of the past at a time.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    const worked = turn.then(work);
    turn = worked.catch(() => {}); // The caller gets the error.
    return worked;
  };

  /** Moves on to a number, up to which nobody who is live needs events. */
  const skipTo = (seq: bigint) => {
    if (seq > position) position = seq;
    if (seq > claimed) claimed = seq;
  };

  const goLive = (subscription: Subscription) => {
    subscription.isLive = true;
    live.add(subscription);
  };

  const deliver = (subscription: Subscription, event: PriceEvent) => {
    if (!subscription.isLive || event.seq <= subscription.position) return;
    if (subscription.inbox.put(event)) {
      subscription.position = event.seq;
      return;
    }
    subscription.isLive = false;
    live.remove(subscription);
  };

  const look = async () => {
    const known = claimed;
    const head = await readHead(database);
    if (head < known) {
      // After a failover to an older state, numbers are taken again.
      for (const { inbox } of [...subscriptions]) inbox.end(restored());
      position = head;
      claimed = head;
    }
    if (live.count() > 0 && head > position) await catchUp();
    while (live.count() > 0 && head > position) {
      const until = position + WINDOW < head ? position + WINDOW : head;
      if (until > claimed) claimed = until;
      const { events } = await readWindow(database, live.selection(), position, until, Number(WINDOW));
      for (const event of events) for (const subscription of live.of(event)) deliver(subscription, event);
      if (until > position) position = until;
    }
    if (live.count() === 0) skipTo(head);
  };

  const check = async ({ inbox, isLive, isStillValid }: Subscription) => {
    // If the database is unavailable, the key counts as valid until the next check.
    if (!(await isStillValid().catch(() => true))) inbox.end(endedKey());
    else if (!isLive && inbox.waitedMs() > longestWaitMs) inbox.end(tooSlow());
  };

  const lookOn = () => {
    timer = setTimeout(async () => {
      await Promise.all([...subscriptions].map(check));
      await look().catch(() => {}); // The next read continues from the same position.
      if (subscriptions.size > 0) lookOn();
      else timer = undefined;
    }, LOOK_EVERY_MS).unref();
  };

  const readPast = async (subscription: Subscription) => {
    if (!subscriptions.has(subscription)) return;
    const { filter, inbox, accepts, position: after } = subscription;
    const read = filter.productIds ? readOfProducts : readWindow;
    const { events, reached } = await read(database, selectFor([filter]), after, claimed, PAGE);
    // Checked after the read, so that no row was deleted before it.
    if (after < (await readExtent(database)).forgotten) throw expired();
    await catchUp();
    for (const event of events) {
      if (!accepts(event)) continue;
      if (!(await mayHave(subscription, event))) {
        subscription.isUsedUp = true; // It ends once its client has taken what was paid for.
        return;
      }
      inbox.put(event);
    }
    subscription.position = reached;
  };

  /** Charges the first of each hundred events of the past but the first hundred. */
  const mayHave = async (subscription: Subscription, { seq }: PriceEvent): Promise<boolean> => {
    if (seq > subscription.pastUntil) return true;
    const isCharged = subscription.past > 0 && subscription.past % EVENTS_OF_A_REQUEST === 0;
    subscription.past += 1;
    return !isCharged || subscription.pay();
  };

  const refill = (subscription: Subscription): Promise<void> | undefined => {
    if (subscription.isLive) return undefined;
    if (subscription.isUsedUp) return Promise.reject(usedUp());
    // Reads that are under way are for those that were live before.
    if (subscription.position >= claimed) {
      goLive(subscription);
      return undefined;
    }
    return inTurn(() => readPast(subscription)).catch((error) => {
      throw isUnavailable(error) ? unreadable(error) : error;
    });
  };

  const findStart = async ({ after }: Listener) => {
    if (after === undefined) {
      const head = await readHead(database);
      return { head, after: head };
    }
    const { head, forgotten } = await readExtent(database);
    if (after < forgotten || after > head) throw expired();
    return { head, after };
  };

  const join = async (subscription: Subscription) => {
    const { head, after } = await findStart(subscription);
    subscription.position = after;
    subscription.pastUntil = head;
    if (live.count() === 0) skipTo(head);
    subscriptions.add(subscription);
    if (after >= claimed) goLive(subscription);
    if (!timer) lookOn();
  };

  const leave = (subscription: Subscription) => {
    count(subscription, -1);
    subscriptions.delete(subscription);
    live.remove(subscription);
  };

  const total = openKeyCounts(onCount);
  const withoutProducts = openKeyCounts();
  const count = ({ keyId, filter }: Listener, change: 1 | -1) => {
    total.add(keyId, change);
    if (!filter.productIds) withoutProducts.add(keyId, change);
  };
  const requireRoom = ({ keyId, filter }: Listener) => {
    if (total.of(keyId) >= MOST_SUBSCRIPTIONS) throw tooMany();
    if (total.all() >= MOST_IN_PROCESS) throw full();
    if (filter.productIds) return;
    if (withoutProducts.of(keyId) >= MOST_WITHOUT_PRODUCTS) throw tooManyWithoutProducts();
    if (withoutProducts.all() >= MOST_WITHOUT_PRODUCTS_IN_PROCESS) throw full();
  };

  return {
    /**
     * Starts a subscription to all changes from now on, or after an earlier one, in commit order.
     * @throws {Problem} `too_many_subscriptions`, `unavailable`, `cursor_expired`.
     */
    async listen(listener: Listener): Promise<AsyncIterableIterator<PriceEvent>> {
      requireRoom(listener);
      count(listener, 1);
      const inbox = openInbox<PriceEvent>({
        most: MOST_WAITING,
        onClosed: () => leave(subscription),
        refill: () => refill(subscription),
      });
      const accepts = compileFilter(listener.filter);
      const begun = { position: 0n, isLive: false, pastUntil: 0n, past: 0, isUsedUp: false };
      const subscription: Subscription = { ...listener, inbox, accepts, ...begun };
      try {
        await join(subscription);
      } catch (error) {
        inbox.end();
        throw error;
      }
      return inbox;
    },
  };
}

const tooMany = () =>
  new Problem(
    'too_many_subscriptions',
    `The key has ${MOST_SUBSCRIPTIONS} open subscriptions on this instance: end one, or subscribe to more products in one (up to ${MOST_PRODUCTS}).`,
  );
const tooManyWithoutProducts = () =>
  new Problem(
    'too_many_subscriptions',
    `The key has ${MOST_WITHOUT_PRODUCTS} open subscriptions without \`productIds\` on this instance: end one, or name the products.`,
  );
const expired = () =>
  new Problem(
    'cursor_expired',
    'The stream no longer has all changes since this cursor, or never had it: subscribe without `after` and without `Last-Event-ID`, then query the products once.',
    { parameter: 'after' },
  );

const unavailable = (detail: string, cause?: unknown) =>
  new Problem('unavailable', detail, { headers: { 'Retry-After': '5' }, cause });
const full = () => unavailable('This instance has no room for more subscriptions: try again in a few seconds.');
const CONTINUE = 'subscribe again with the cursor of your last event as `after`.';
const restored = () =>
  unavailable(
    'The database was restored to an earlier state: query the products once, and subscribe again without `after`.',
  );
const tooSlow = () => unavailable(`The client reads changes too slowly, so it was disconnected: ${CONTINUE}`);
const usedUp = () =>
  new Problem('quota_exhausted', `The month's requests are used up: wait until they are reset, then ${CONTINUE}`);
const unreadable = (cause: unknown) => unavailable(`The database could not be read: ${CONTINUE}`, cause);
