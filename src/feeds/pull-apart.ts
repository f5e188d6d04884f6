/**
 * Pulls feeds in a process of their own, next to a gateway: reading a hundred thousand rows would hold up the gateway's
 * requests. The process runs with a low priority, only while there is work, and ends with its gateway.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '../database/database.ts';
import { hasWork } from './claim.ts';

const LOOK_MS = 1_000;
// A process that ends at once, such as on a wrong configuration, is started no more often than this.
const RESTART_MS = 30_000;
/** How long a stop waits until the process has given its runs back. */
const GRACE_MS = 4_000;

// V8 otherwise collects garbage and compiles on other cores, in threads that were started before the process lowered its priority.
const ONE_CORE = '--single-threaded';

export interface ApartObserver {
  /** The process has ended by itself with this status or signal, and is started again when a feed is due. */
  onEnd(how: { status: number | null; signal: NodeJS.Signals | null }): void;
  /** A look for due feeds failed and is repeated. */
  onFailure(error: unknown): void;
}

/** Looks for due feeds, and starts the process when there are some. @param program the built program to run. */
export function pullApart(database: Queryable, program: string, observer: ApartObserver) {
  let isStopped = false;
  let child: ChildProcess | undefined;
  let nextStartAt = Number.NEGATIVE_INFINITY;
  let timer = setTimeout(look, LOOK_MS).unref();

  async function look(): Promise<void> {
    try {
      if (!child && performance.now() >= nextStartAt && (await hasWork(database)) && !isStopped) start();
    } catch (error) {
      if (!isStopped) observer.onFailure(error);
    }
    if (!isStopped) timer = setTimeout(look, LOOK_MS).unref();
  }

  function start(): void {
    const started = fork(program, [], {
      execArgv: [...process.execArgv, ONE_CORE],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = started;
    // The gateway may end although the process runs; the process notices that its channel has closed.
    started.unref();
    started.channel?.unref();
    const onEnd = (status: number | null, signal: NodeJS.Signals | null) => {
      if (child !== started) return;
      child = undefined;
      if (status === 0) return;
      nextStartAt = performance.now() + RESTART_MS;
      if (!isStopped) observer.onEnd({ status, signal });
    };
    started.on('exit', onEnd);
    started.on('error', (error) => {
      observer.onFailure(error);
      if (started.pid === undefined) onEnd(1, null); // It could not be started.
    });
  }

  return {
    /** Ends the process, and waits a moment until it has given its runs back. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      const running = child;
      if (!running) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      if (running.connected) running.disconnect();
      await Promise.race([ended, pause(GRACE_MS, undefined, { ref: false })]);
      running.kill('SIGKILL');
    },
  };
}
