/** The messages between the primary process and its workers: JSON over the channel of `node:cluster`. */
import type { Registry } from 'prom-client';
import type { Found, Verdict } from '../access/address-ledger.ts';

/** The metrics of one process, as `getMetricsAsJSON` of prom-client returns them. */
export type MetricsOfProcess = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** A request to the counts of the primary process, with its place in the worker's list; arrays, since each metered request sends one. */
export type Ask =
  | [place: number, kind: 'take', keyId: string, limit: number, cost: number]
  | [place: number, kind: 'giveBack', keyId: string, cost: number, resetAt: number]
  | [place: number, kind: 'count', address: string, requests: number]
  | [place: number, kind: 'enter', entry: number, address: string, digest: string]
  | [place: number, kind: 'leave', entry: number, found: Found]
  | [place: number, kind: 'adopt', address: string, guesses: number, resetAt: number]
  | [place: number, kind: 'note', digest: string, found: Found];

/** The result of an ask, by its kind; those that are missing have none. */
export interface Results {
  take: [isAllowed: boolean, remaining: number, resetAt: number];
  count: [count: number, resetAt: number];
  enter: [verdict: Verdict, resetAt: number];
  leave: boolean;
}

export type Told = [place: number, result: Results[keyof Results]];

/** `ready`: messages are heard from now on; `closed`: no more connections are accepted. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'listening'; address: string }
  | { kind: 'failed'; text: string }
  | { kind: 'asks'; asks: Ask[] }
  | { kind: 'closed' }
  | { kind: 'metrics'; metrics: MetricsOfProcess };

/** `closed`: no worker accepts connections any more. @property importsSince numbers as text, because JSON has no large integers. */
export type FromPrimary =
  | { kind: 'start'; hasUpkeep: boolean; importsSince: { run: string; failure: string } }
  | { kind: 'told'; told: Told[] }
  | { kind: 'metrics' }
  | { kind: 'stop'; isAtOnce: boolean }
  | { kind: 'closed' };
