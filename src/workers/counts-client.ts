/**
 * A worker's side of the counts that its instance keeps in the primary process. All requests of one turn of the event loop are one
 * message, and their results another, so that a message serves many requests under load.
 */
import { LRUCache } from 'lru-cache';
import { type AddressLedger, type Found, openKnownKeys } from '../access/address-ledger.ts';
import type { KeyWindows } from '../access/rate-limit.ts';
import type { Window } from '../access/windows.ts';
import { Problem } from '../problem.ts';
import type { Ask, Results, Told } from './messages.ts';

interface Waiting {
  resolve: (result: never) => void;
  reject(error: Error): void;
}

const MOST_EXCEEDED = 10_000;

/** @param send sends requests to the primary process. @param mostFree free requests a minute of an address; 0 for any number. */
export function openCountsClient(send: (asks: Ask[]) => void, mostFree: number) {
  /** Each request that waits has a place until its result arrives. An array, for the reason given in `http/deadline.ts`. */
  const waiting: (Waiting | undefined)[] = [];
  const freePlaces: number[] = [];
  let gathered: Ask[] = [];
  let lastEntry = 0;
  let hasEnded = false;

  const flush = () => {
    const asks = gathered;
    gathered = [];
    if (!hasEnded) send(asks);
  };
  const tell = (ask: Ask) => {
    if (gathered.push(ask) === 1) setImmediate(flush);
  };
  const ask = <Kind extends keyof Results>(make: (place: number) => Ask & { 1: Kind }) =>
    new Promise<Results[Kind]>((resolve, reject) => {
      if (hasEnded) return reject(ended());
      const place = freePlaces.pop() ?? waiting.length;
      waiting[place] = { resolve, reject };
      tell(make(place));
    });

  const windows: KeyWindows = {
    async take(keyId, limit, cost) {
      const [isAllowed, remaining, resetAt] = await ask((place) => [place, 'take', String(keyId), limit, cost]);
      return { isAllowed, limit, remaining, resetAt };
    },
    giveBack: (keyId, cost, resetAt) => tell([0, 'giveBack', String(keyId), cost, resetAt]),
  };

  const known = openKnownKeys();
  /** Addresses that have made too many free requests, so that a flood from them costs no messages. */
  const exceeded = new LRUCache<string, Window>({ max: MOST_EXCEEDED });

  const countThere = async (address: string, requests: number): Promise<Window> => {
    const [count, resetAt] = await ask((place) => [place, 'count', address, requests]);
    const window = { count, resetAt };
    if (count > mostFree) exceeded.set(address, window);
    return window;
  };
  const note = (digest: string, found: Found) => {
    known.note(digest, found);
    tell([0, 'note', digest, found]);
  };
  const enterThere = async (address: string, digest: string) => {
    lastEntry += 1;
    const entry = lastEntry;
    const [verdict, resetAt] = await ask((place) => [place, 'enter', entry, address, digest]);
    return {
      verdict,
      resetAt,
      leave(found: Found) {
        known.note(digest, found);
        return ask((place) => [place, 'leave', entry, found]).catch(() => false);
      },
    };
  };

  const ledger: AddressLedger = {
    count(address, requests) {
      const window = exceeded.get(address);
      return window && window.resetAt > Date.now() ? window : countThere(address, requests);
    },
    enter(address, digest) {
      if (!known.use(digest)) return enterThere(address, digest);
      const leave = (found: Found) => {
        note(digest, found);
        return false;
      };
      return { verdict: 'known', resetAt: 0, leave };
    },
    adopt: (address, guesses, resetAt) => tell([0, 'adopt', address, guesses, resetAt]),
    note,
    isKnown: known.has,
  };

  return {
    windows,
    ledger,
    /** Passes results on to the requests that wait for them. */
    hear(told: readonly Told[]): void {
      for (const [place, result] of told) {
        waiting[place]?.resolve(result as never);
        waiting[place] = undefined;
        freePlaces.push(place);
      }
    },
    /** Refuses all waiting requests and every later one, because the primary process has ended. */
    end(): void {
      hasEnded = true;
      for (const request of waiting) request?.reject(ended());
      waiting.length = 0;
    },
  };
}

const ended = () =>
  new Problem('unavailable', 'This instance is stopping: send the request again.', { headers: { 'Retry-After': '1' } });
