/**
 * The `statement_timeout` of the embedded database. PostgreSQL sets its own by a signal, which WebAssembly does not have, and while a
 * statement runs, this thread does nothing else. So another thread watches how long a statement has been running, and has the
 * inspector of Node run {@link cancel} on this thread in the middle of it. That sets the flags which PostgreSQL's handler of
 * SIGINT would set, and the statement ends as it does there: with SQLSTATE 57014, rolled back.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { packageRoot } from '../package-root.ts';

export interface StatementTimeout {
  /** Ends each statement that `work` runs after the time. */
  limit<Result>(work: () => Promise<Result>): Promise<Result>;
  stop(): Promise<void>;
}

/** What the watching thread is given. */
export interface Watching {
  /** One number: which statement that may be ended is running, or 0. */
  running: Int32Array;
  timeoutMs: number;
  /** What the inspector evaluates on the thread of the database. */
  cancel: string;
}

/** Variables of PostgreSQL (`globals.c`) by their addresses in its memory; PGlite exports them without declaring so. */
interface Flags {
  _QueryCancelPending: number;
  _InterruptPending: number;
}

let opened = 0;

// Frontend messages by their first byte (PostgreSQL, §54.7). `Sync` commits: what is cancelled after its commit would be taken for
// rolled back. `Query` is that of scripts, which commit on their way.
const COMMITTING = new Set(['S', 'Q'].map((letter) => letter.charCodeAt(0)));

/**
 * Watches the statements of a database that is open. A statement is watched from its arrival to its last row, but not while it
 * is committed.
 *
 * @param onLost called when statements are not ended any more, since the watching thread has failed.
 */
export function openStatementTimeout(
  pglite: PGlite,
  timeoutMs: number,
  onLost: (error: Error) => void = () => {},
): StatementTimeout {
  const postgres = pglite.Module as PGlite['Module'] & Flags;
  const running = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let isLimited = false;
  let count = 0;
  let startedAt = 0;

  const run = pglite.execProtocolRawSync.bind(pglite);
  pglite.execProtocolRawSync = (message) => {
    if (!isLimited || COMMITTING.has(message[0] ?? 0)) return run(message);
    startedAt = performance.now();
    count = (count % 2_000_000_000) + 1;
    Atomics.store(running, 0, count);
    try {
      return run(message);
    } finally {
      Atomics.store(running, 0, 0);
      // What is cancelled at its very end must not cancel the next one.
      postgres.HEAPU8[postgres._QueryCancelPending] = 0;
    }
  };

  const cancel = () => {
    // The request may come when another statement is running.
    if (Atomics.load(running, 0) === 0 || performance.now() - startedAt < timeoutMs) return;
    postgres.HEAPU8[postgres._QueryCancelPending] = 1;
    postgres.HEAPU8[postgres._InterruptPending] = 1;
  };
  opened += 1;
  const name = `product-data-api: cancel statement ${opened}`;
  const registry = globalThis as unknown as Record<symbol, (() => void) | undefined>;
  registry[Symbol.for(name)] = cancel;

  const worker = new Worker(join(packageRoot(), 'dist', 'statement-watch.js'), {
    workerData: {
      running,
      timeoutMs,
      cancel: `globalThis[Symbol.for(${JSON.stringify(name)})]?.()`,
    } satisfies Watching,
    execArgv: [],
  });
  worker.unref();
  worker.on('error', onLost);

  return {
    async limit(work) {
      isLimited = true;
      try {
        return await work();
      } finally {
        isLimited = false;
      }
    },
    async stop() {
      delete registry[Symbol.for(name)];
      await worker.terminate();
    },
  };
}
