/**
 * Who listens to which products' prices in this process, and what they are told. Importers leave events in the database under
 * the version of the catalogue that they raise (`price_event`); while somebody listens, the process asks for the version twice
 * a second and reads what has come since. So it works over all instances and in both homes of the data alike. PostgreSQL's
 * LISTEN would save the asking, but not the reading: what is notified while a connection is being made anew is lost, and a
 * pooler in between takes no LISTEN at all.
 *
 * Nothing is lost between two looks: a version is locked from its raising until its transaction has ended, so when one can be
 * seen, all that are lower can be.
 */
import { endedKey } from '../../access/key-source.ts';
import type { Queryable } from '../../database/database.ts';
import { Problem } from '../../problem.ts';
import { readVersion } from '../version.ts';
import { type Inbox, openInbox } from './inbox.ts';

/** A change of what a product's offers cost: lowest totals in minor units; `null` without an offer. */
export interface PriceEvent {
  productId: bigint;
  previousMin: bigint | null;
  min: bigint | null;
  /** The moment that the shop's feed speaks of. */
  observedAt: Date;
}

export interface Listener {
  keyId: bigint;
  productIds: readonly bigint[];
  /** Whether the key may still be used. */
  isStillValid(): Promise<boolean>;
}

export interface LivePrices {
  /**
   * Begins to listen: every change that is committed from now on is given, in the order of commits.
   *
   * @throws {Problem} `too_many_subscriptions`, `unavailable`.
   */
  listen(listener: Listener): Promise<AsyncIterableIterator<PriceEvent>>;
}

/** For how long events are kept: a process that has not looked for longer may have missed some. */
export const MINUTES_KEPT = 10;
/** The most subscriptions that a key may have in a process, each to at most {@link MOST_PRODUCTS} products. */
export const MOST_SUBSCRIPTIONS = 20;
export const MOST_PRODUCTS = 100;

const MOST_IN_PROCESS = 1_000;
const LONGEST_ABSENCE_MS = (MINUTES_KEPT - 1) * 60_000;
const LOOK_EVERY_MS = 500;
// What a client has not taken by then it is too slow for.
const MOST_WAITING = 1_000;

interface Subscription extends Listener {
  inbox: Inbox<PriceEvent>;
}

// By the primary key.
const EVENTS = `
  SELECT product_id AS "productId", previous_min AS "previousMin", min, observed_at AS "observedAt"
  FROM price_event
  WHERE product_id = ANY ($1::bigint[])
    AND version > $2::bigint
    AND version <= $3::bigint
  ORDER BY version, product_id`;

/**
 * Opens what tells of prices.
 *
 * @param onCount told how many listen, whenever that changes.
 * @param onVersion told the version that events come with, before anybody gets them: what is read of the products after an
 *   event must not be older.
 */
export function openLivePrices(
  database: Queryable,
  onCount: (count: number) => void = () => {},
  onVersion: (version: bigint) => void = () => {},
): LivePrices {
  const subscriptions = new Set<Subscription>();
  const listenersOf = new Map<bigint, Set<Subscription>>();
  const countOf = new Map<bigint, number>();
  let position = 0n;
  let lookedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  // Looking and joining are one after the other, so that who joins does so at the position that all others are at.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    const worked = turn.then(work);
    turn = worked.catch(() => {}); // Whoever asked for it meets the fault.
    return worked;
  };

  const look = async () => {
    if (Date.now() - lookedAt > LONGEST_ABSENCE_MS) endAll(missed());
    const startedAt = Date.now();
    const version = await readVersion(database);
    if (version > position && subscriptions.size > 0) {
      onVersion(version);
      const events = await database.query<PriceEvent>(EVENTS, [[...listenersOf.keys()], position, version]);
      for (const event of events) {
        for (const { inbox } of listenersOf.get(event.productId) ?? []) if (!inbox.put(event)) inbox.end(tooSlow());
      }
    }
    position = version;
    lookedAt = startedAt;
  };

  const endAll = (problem: Problem) => {
    for (const { inbox } of [...subscriptions]) inbox.end(problem);
  };

  const checkKey = async ({ inbox, isStillValid }: Subscription) => {
    // Where the database is away nobody knows: the next look asks again.
    if (!(await isStillValid().catch(() => true))) inbox.end(endedKey());
  };

  const lookOn = () => {
    timer = setTimeout(async () => {
      await Promise.all([...subscriptions].map(checkKey));
      await inTurn(look).catch(() => {}); // The next look reads on from the same position.
      if (subscriptions.size > 0) lookOn();
      else timer = undefined;
    }, LOOK_EVERY_MS).unref();
  };

  const join = async (subscription: Subscription) => {
    if (subscriptions.size === 0) lookedAt = Date.now();
    await look();
    subscriptions.add(subscription);
    for (const productId of subscription.productIds) {
      const listeners = listenersOf.get(productId) ?? new Set();
      listenersOf.set(productId, listeners.add(subscription));
    }
    if (!timer) lookOn();
  };

  const leave = (subscription: Subscription) => {
    count(subscription.keyId, -1);
    subscriptions.delete(subscription);
    for (const productId of subscription.productIds) {
      const listeners = listenersOf.get(productId);
      listeners?.delete(subscription);
      if (listeners?.size === 0) listenersOf.delete(productId);
    }
  };

  let open = 0;
  const count = (keyId: bigint, change: 1 | -1) => {
    const count = (countOf.get(keyId) ?? 0) + change;
    if (count > 0) countOf.set(keyId, count);
    else countOf.delete(keyId);
    open += change;
    onCount(open);
  };

  return {
    async listen(listener) {
      if ((countOf.get(listener.keyId) ?? 0) >= MOST_SUBSCRIPTIONS) throw tooMany();
      if (open >= MOST_IN_PROCESS) throw full();
      count(listener.keyId, 1);
      const inbox = openInbox<PriceEvent>(MOST_WAITING, () => leave(subscription));
      const subscription: Subscription = { ...listener, inbox };
      try {
        await inTurn(() => join(subscription));
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
    `The key has ${MOST_SUBSCRIPTIONS} subscriptions open here: end one, or ask for more products in one (up to ${MOST_PRODUCTS}).`,
  );

const retryLater = { 'Retry-After': '5' };

const full = () =>
  new Problem('unavailable', 'No more subscriptions can be opened here now: try again in a few seconds.', {
    headers: retryLater,
  });

const missed = () =>
  new Problem('unavailable', 'The database was away for too long, and changes may be missing: subscribe again.', {
    headers: retryLater,
  });

const tooSlow = () =>
  new Problem('unavailable', 'Changes come faster than they are read, so some are missing: subscribe again.', {
    headers: retryLater,
  });
