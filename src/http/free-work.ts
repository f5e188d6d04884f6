/**
 * A queue for free requests whose answers are not in memory: running GraphQL, searching, rendering. A process does one such job at a
 * time, in turns for each address, so strangers delay paying clients by at most one job. The address pays each job with free requests:
 * pages and searches at a fixed price, GraphQL by its CPU time.
 */
import { performance } from 'node:perf_hooks';
import { Problem } from '../problem.ts';
import type { Soon } from '../soon.ts';
import type { Admission } from './admission.ts';
import type { Exchange, Handler } from './exchange.ts';

/** The CPU time that one free request pays for, in milliseconds. With 600 requests a minute, an address gets at most 5 % of a core. */
export const CPU_MS_OF_REQUEST = 5;
/** The free requests that a page, a chart or a search costs beside the one for the request, unless it is in memory: about 15 ms of CPU in all. */
export const PRICE_OF_PAGE = 2;
/** The most jobs that wait for their turn in a process. */
export const MOST_WAITING = 100;
// A pause after a job is as long as the event loop was busy during it, so that other requests get as much time.
const LONGEST_PAUSE_MS = 100;

interface Waiting {
  start(): void;
  refuse(problem: Problem): void;
}

/** Ends a job, so that the next one may start. */
export type Leave = () => void;

export type FreeWork = ReturnType<typeof openFreeWork>;

const tooManyWait = new Problem('unavailable', 'Too many free requests are waiting: try again in a second.', {
  headers: { 'Retry-After': '1' },
});
const gone = new Problem('unavailable', 'The client left while its request waited.');

/** Opens the queue of a process. @param admission has no place for requests while they wait. */
export function openFreeWork(admission: Pick<Admission, 'stepOut' | 'stepIn'>) {
  /** By address, in the order of their turns; no list is empty. */
  const waiting = new Map<string, Waiting[]>();
  let count = 0;
  let isBusy = false;

  const remove = (address: string, at: number): Waiting | undefined => {
    const ofAddress = waiting.get(address);
    const [removed] = ofAddress?.splice(at, 1) ?? [];
    if (removed) count -= 1;
    if (ofAddress?.length === 0) waiting.delete(address);
    return removed;
  };

  /** Starts the first job of the first address, and moves the address to the end. */
  const startNext = (): void => {
    isBusy = false;
    const [address] = waiting.keys();
    if (address === undefined) return;
    const next = remove(address, 0);
    const rest = waiting.get(address);
    if (rest) {
      waiting.delete(address);
      waiting.set(address, rest);
    }
    next?.start();
  };

  const begin = (): Leave => {
    isBusy = true;
    const before = performance.eventLoopUtilization();
    return () => {
      const { active } = performance.eventLoopUtilization(before);
      setTimeout(startNext, Math.min(active, LONGEST_PAUSE_MS));
    };
  };

  /** Makes room for a request: the address with the most waiting jobs gives up its last one, unless the newcomer's has as many. */
  const makeRoom = (address: string): void => {
    if (count < MOST_WAITING) return;
    let [most, length] = [address, (waiting.get(address)?.length ?? 0) + 1];
    for (const [each, jobs] of waiting) if (jobs.length > length) [most, length] = [each, jobs.length];
    if (most === address) throw tooManyWait;
    remove(most, length - 1)?.refuse(tooManyWait);
  };

  const wait = (exchange: Exchange): Promise<Leave> => {
    const address = exchange.addressOf();
    makeRoom(address);
    admission.stepOut();
    return new Promise<Leave>((resolve, reject) => {
      // Its client has left, or was told that the request took too long.
      const drop = () => {
        const at = waiting.get(address)?.indexOf(job) ?? -1;
        if (at >= 0) remove(address, at)?.refuse(gone);
      };
      const settle = () => {
        exchange.outgoing.off('close', drop);
        admission.stepIn();
      };
      const job: Waiting = {
        start() {
          settle();
          resolve(begin());
        },
        refuse(problem) {
          settle();
          reject(problem);
        },
      };
      exchange.outgoing.once('close', drop);
      const ofAddress = waiting.get(address);
      if (ofAddress) ofAddress.push(job);
      else waiting.set(address, [job]);
      count += 1;
    });
  };

  /**
   * Waits for the turn of a request. Call {@link Leave} when its work is done.
   * @throws {Problem} `unavailable` if too many jobs wait already; `rate_limited` if its address has no free requests left by then.
   */
  const enter = async (exchange: Exchange, price = 0): Promise<Leave> => {
    let leave: Leave;
    try {
      leave = isBusy ? await wait(exchange) : begin();
    } catch (error) {
      exchange.isExcess = true;
      throw error;
    }
    try {
      await exchange.access.admitFree(price);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  };

  /** Does a job in its turn. @param price the free requests that it costs beside the one for the request itself. */
  const run = async <Result>(exchange: Exchange, price: number, work: () => Soon<Result>): Promise<Result> => {
    const leave = await enter(exchange, price);
    try {
      return await work();
    } finally {
      leave();
    }
  };

  return {
    enter,
    /** Lets a request do a job when the queue lets it, at a price as above. */
    queued:
      (exchange: Exchange, price: number) =>
      <Result>(work: () => Soon<Result>) =>
        run(exchange, price, work),
    /** A handler whose every answer is such a job. */
    handler:
      (price: number, handle: Handler): Handler =>
      (exchange, values) =>
        run(exchange, price, () => handle(exchange, values)),
    /** Jobs that wait. */
    get waiting(): number {
      return count;
    },
  };
}
