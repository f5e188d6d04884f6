/**
 * Delivers price changes to the subscriptions of this process. Importers store events in the database with the catalogue version that
 * they raise (`price_event`). While there are subscriptions, the process reads the version twice a second, and then the events since
 * the last one. This works across instances, on PostgreSQL and on the embedded database alike. PostgreSQL's LISTEN would save the
 * polling but not the reads: notifications during a reconnect are lost, and connection poolers do not support LISTEN.
 *
 * No event is lost between two reads. The row of the version is locked from its raise until the end of the transaction, so once a
 * version is visible, all lower ones are too.
 */
import { endedKey } from '../../access/key-source.ts';
import type { Queryable } from '../../database/database.ts';
import { Problem } from '../../problem.ts';
import { readVersion } from '../version.ts';
import { type Inbox, openInbox } from './inbox.ts';

/** A change of a product's lowest total price, in minor units; `null` if it has no offer. */
export interface PriceEvent {
  productId: bigint;
  previousMin: bigint | null;
  min: bigint | null;
  /** The time that the shop's feed states. */
  observedAt: Date;
}

interface Listener {
  keyId: bigint;
  productIds: readonly bigint[];
  /** Whether the key may still be used. */
  isStillValid(): Promise<boolean>;
}

interface Subscription extends Listener {
  inbox: Inbox<PriceEvent>;
}

export type LivePrices = ReturnType<typeof openLivePrices>;

/** How long events are kept. A process that has not read for longer may have missed some. */
export const MINUTES_KEPT = 10;
/** The most subscriptions per key and process, each to at most {@link MOST_PRODUCTS} products. */
const MOST_SUBSCRIPTIONS = 20;
export const MOST_PRODUCTS = 100;

const MOST_IN_PROCESS = 1_000;
const LONGEST_ABSENCE_MS = (MINUTES_KEPT - 1) * 60_000;
const LOOK_EVERY_MS = 500;
// A client with more waiting events than this is too slow.
const MOST_WAITING = 1_000;

// By the primary key.
const EVENTS = `
  SELECT product_id AS "productId", previous_min AS "previousMin", min, observed_at AS "observedAt"
  FROM price_event
  WHERE product_id = ANY ($1::bigint[])
    AND version > $2::bigint
    AND version <= $3::bigint
  ORDER BY version, product_id`;

/** @param onVersion called before the delivery of its events, because later reads of a product must not be older. */
export function openLivePrices(
  database: Queryable,
  onCount: (count: number) => void = () => {},
  onVersion: (version: bigint) => void = () => {},
) {
  const subscriptions = new Set<Subscription>();
  const listenersOf = new Map<bigint, Set<Subscription>>();
  const countOf = new Map<bigint, number>();
  let position = 0n;
  let lookedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  // Reads and new subscriptions take turns, so that a new subscription starts at the position of all others.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    const worked = turn.then(work);
    turn = worked.catch(() => {}); // The caller gets the error.
    return worked;
  };

  const look = async () => {
    if (Date.now() - lookedAt > LONGEST_ABSENCE_MS) for (const { inbox } of [...subscriptions]) inbox.end(missed());
    const startedAt = Date.now();
    const version = await readVersion(database);
    if (version > position && subscriptions.size > 0) {
      onVersion(version);
      const events = await database.query<PriceEvent>(EVENTS, [[...listenersOf.keys()], position, version], {
        name: 'price_events',
      });
      for (const event of events) {
        for (const { inbox } of listenersOf.get(event.productId) ?? []) if (!inbox.put(event)) inbox.end(tooSlow());
      }
    }
    position = version;
    lookedAt = startedAt;
  };

  const check = async ({ inbox, isStillValid }: Subscription) => {
    // If the database is unavailable, the key counts as valid until the next check.
    if (!(await isStillValid().catch(() => true))) inbox.end(endedKey());
  };

  const lookOn = () => {
    timer = setTimeout(async () => {
      await Promise.all([...subscriptions].map(check));
      await inTurn(look).catch(() => {}); // The next read continues from the same position.
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
    /** Starts a subscription to all changes from now on, in commit order. @throws {Problem} `too_many_subscriptions`, `unavailable`. */
    async listen(listener: Listener): Promise<AsyncIterableIterator<PriceEvent>> {
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
    `The key has ${MOST_SUBSCRIPTIONS} open subscriptions on this instance: end one, or subscribe to more products in one (up to ${MOST_PRODUCTS}).`,
  );

const unavailable = (detail: string) => new Problem('unavailable', detail, { headers: { 'Retry-After': '5' } });
const full = () => unavailable('This instance has no room for more subscriptions: try again in a few seconds.');
const missed = () =>
  unavailable('The database was unavailable for too long, so changes may be missing: subscribe again.');
const tooSlow = () => unavailable('The client reads changes too slowly, so some are missing: subscribe again.');
