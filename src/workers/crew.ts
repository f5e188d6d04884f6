/** The workers of this instance: starts them, replaces those that die, passes messages, and stops them all. */
import type { ChildProcess } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import { openAddressLedger } from '../access/address-ledger.ts';
import { openKeyWindows } from '../access/rate-limit.ts';
import type { Config } from '../config.ts';
import { WorkerFailed } from '../failure.ts';
import type { ImportPosition } from '../operations/import-metrics.ts';
import { serveCounts } from './counts-server.ts';
import { type Gathered, gatherFrom } from './gathered-metrics.ts';
import type { FromPrimary, FromWorker } from './messages.ts';

// A worker that served and ran for this long died of something new, so it is replaced at once.
const STEADY_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;

/** How often to check whether the channel of a dead worker is closed. */
const CHANNEL_MS = 20;

/** The end of a worker that was not told to stop. */
export interface Death {
  pid: number | undefined;
  status: number | null;
  signal: string | null;
  /** The failure of its start, if that was why. */
  reason?: string;
  figures: Gathered;
}

interface Member {
  worker: Worker;
  figures: Gathered;
  hasServed: boolean;
  /** Whether it accepts no more connections. */
  isClosed: boolean;
  reason?: string;
  end: Promise<{ status: number | null; signal: string | null }>;
}

export interface CrewOptions {
  importsSince: ImportPosition;
  onStart(pid: number | undefined): void;
  onDeath(death: Death): void;
}

/** Starts all workers. @throws {WorkerFailed} if one of them cannot start. */
export async function startCrew(config: Config, { importsSince, onStart, onDeath }: CrewOptions) {
  const { count } = config.workers;
  const counts = { windows: openKeyWindows(), ledger: openAddressLedger(config.wrongKeysPerMinute) };
  const members = new Set<Member>();
  const since = { run: String(importsSince.run), failure: String(importsSince.failure) };
  let isStarted = false;
  let isStopping = false;

  /** Starts one worker. @param place 0 for the one that does the upkeep. @param deaths how many before it died early. */
  const start = (place: number, deaths: number): Promise<string> => {
    const worker = cluster.fork({ WORKERS: String(count) });
    const send = (message: FromPrimary) => tell(worker, message);
    const figures = gatherFrom(() => send({ kind: 'metrics' }));
    const served = serveCounts(counts, (told) => send({ kind: 'told', told }));
    const member: Member = { worker, figures, hasServed: false, isClosed: false, end: endOf(worker) };
    const startedAt = performance.now();
    members.add(member);
    worker.on('error', () => {}); // A message to a worker that has died; its exit follows.

    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        switch (message.kind) {
          case 'ready':
            if (isStopping) send({ kind: 'stop', isAtOnce: true });
            else send({ kind: 'start', hasUpkeep: place === 0, importsSince: since });
            break;
          case 'asks':
            served.hear(message.asks);
            break;
          case 'metrics':
            figures.hear(message.metrics);
            break;
          case 'closed':
            member.isClosed = true;
            tellClosed();
            break;
          case 'failed':
            member.reason = message.text;
            break;
          case 'listening':
            member.hasServed = true;
            onStart(worker.process.pid);
            resolve(message.address);
            break;
        }
      });
      void member.end.then(({ status, signal }) => {
        members.delete(member);
        served.leave();
        if (isStopping) return tellClosed();
        const text = member.reason ?? `A worker ended before it listened (${signal ?? `status ${status}`}).`;
        if (!isStarted) return reject(new WorkerFailed(text, status || 1));
        onDeath({ pid: worker.process.pid, status, signal, reason: member.reason, figures } as Death);
        const early = member.hasServed && performance.now() - startedAt > STEADY_MS ? 0 : deaths + 1;
        const pause = early === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (early - 1));
        setTimeout(() => {
          if (!isStopping) start(place, early).catch(() => {});
        }, pause);
      });
    });
  };

  // A worker answers its last requests only then, since their clients may connect again at once.
  const tellClosed = () => {
    if (![...members].every(({ isClosed }) => isClosed)) return;
    for (const { worker } of members) tell(worker, { kind: 'closed' });
  };
  const kill = () => {
    for (const { worker } of members) worker.process.kill('SIGKILL');
  };
  const addresses = await Promise.all(Array.from({ length: count }, (_, place) => start(place, 0))).catch((error) => {
    isStopping = true;
    kill();
    throw error;
  });
  isStarted = true;

  return {
    /** The listening address of all workers. */
    address: addresses[0] ?? '',
    /** The figures of the running workers. */
    *figures() {
      for (const { figures, hasServed } of members) if (hasServed) yield figures;
    },
    /** Tells all workers to stop. @throws unless all have stopped with status 0. */
    async stop(): Promise<void> {
      isStopping = true;
      const running = [...members];
      for (const { worker } of running) tell(worker, { kind: 'stop', isAtOnce: false });
      const ends = await Promise.all(running.map(({ end }) => end));
      if (!ends.every(({ status }) => status === 0))
        throw new Error('a worker could not stop as it should; see its log.');
    },
    /** Ends all workers at once. */
    kill,
  };
}

const tell = (worker: Worker, message: FromPrimary): void =>
  void worker.process.send?.(message, undefined, undefined, () => {});

/** Settles when a worker has exited, all its messages have been read, and the connections on their way to it go to others. */
async function endOf(worker: Worker): Member['end'] {
  const returnConnections = followConnections(worker.process);
  const end = await new Promise<Awaited<Member['end']>>((resolve) => {
    worker.once('exit', (status, signal) => resolve({ status, signal }));
    // A process that could not be started, such as for lack of file descriptors, reports nothing else.
    worker.once('error', () => {
      if (worker.process.pid === undefined) resolve({ status: 1, signal: null });
    });
  });
  while (worker.isConnected()) await wait(CHANNEL_MS);
  returnConnections();
  return end;
}

/**
 * Follows the connections that Node hands to a worker. Node keeps each until the worker acknowledges it; if the worker dies before that,
 * the client would wait for an answer that never comes.
 * @returns refuses those not acknowledged in the worker's name, so that Node hands them to another worker. Nothing of them was read.
 */
function followConnections(channel: ChildProcess): () => void {
  const unacknowledged = new Set<number>();
  const send = channel.send.bind(channel) as (message: Handover, ...others: unknown[]) => boolean;
  channel.send = (message: Handover, ...others: unknown[]) => {
    if (message.act === 'newconn') unacknowledged.add(message.seq);
    return send(message, ...others);
  };
  channel.on('internalMessage', ({ ack }: { ack: number }) => unacknowledged.delete(ack));
  return () => {
    for (const ack of unacknowledged) channel.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false });
  };
}

/** What Node sends with a connection (`lib/internal/cluster/round_robin_handle.js`). */
interface Handover {
  act?: string;
  seq: number;
}
