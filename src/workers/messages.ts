/** The messages between the primary process and its workers: JSON over the channel of `node:cluster`. */
import type { Registry } from 'prom-client';
import type { Found, Verdict } from '../access/address-ledger.ts';

/** The metrics of one process, as `getMetricsAsJSON` of prom-client returns them. */
export type MetricsOfProcess = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** A request to the counts of the primary process, with its number; arrays, since each metered request sends one. */
export type Ask =
  | [number: number, kind: 'take', keyId: string, limit: number, cost: number]
  | [number: number, kind: 'count', address: string, requests: number]
  | [number: number, kind: 'enter', address: string, digest: string]
  | [number: number, kind: 'leave', entry: number, found: Found]
  | [number: number, kind: 'adopt', address: string, guesses: number, resetAt: number]
  | [number: number, kind: 'note', digest: string, found: Found];

/** The result of an ask, by its kind; those that are missing have none. */
export interface Results {
  take: [isAllowed: boolean, remaining: number, resetSeconds: number];
  count: [count: number, resetAt: number];
  enter: [verdict: Verdict, resetAt: number];
  leave: boolean;
}

export type Told = [number: number, result: Results[keyof Results]];

/** `ready`: messages are heard from now on. */
export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'listening'; address: string }
  | { kind: 'failed'; text: string }
  | { kind: 'asks'; asks: Ask[] }
  | { kind: 'metrics'; metrics: MetricsOfProcess };

/** @property importsSince numbers as text, because JSON has no large integers. */
export type FromPrimary =
  | { kind: 'start'; hasUpkeep: boolean; importsSince: { run: string; failure: string } }
  | { kind: 'told'; told: Told[] }
  | { kind: 'metrics' }
  | { kind: 'stop'; isAtOnce: boolean };
