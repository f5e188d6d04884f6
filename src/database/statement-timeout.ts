/**
 * The `statement_timeout` of the embedded database. PostgreSQL uses a signal, which WebAssembly lacks, and a running statement blocks this
 * thread. So another thread measures the time, and has Node's inspector run `cancel` on this thread in the middle of the statement.
 * That sets the flags of PostgreSQL's SIGINT handler, and the statement is rolled back with SQLSTATE 57014.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { packageRoot } from '../package-root.ts';

/** The data passed to the watching thread. */
export interface Watching {
  /** One number: identifies the running statement if it may be cancelled, otherwise 0. */
  running: Int32Array;
  timeoutMs: number;
  /** The expression that the inspector evaluates on the database's thread. */
  cancel: string;
}

/** Addresses of PostgreSQL's variables (`globals.c`) in its memory, which PGlite exports without declaring them. */
interface Flags {
  _QueryCancelPending: number;
  _InterruptPending: number;
}

let opened = 0;

// Frontend messages by their first byte (PostgreSQL, §54.7). `Sync` commits: a statement cancelled after its commit would be mistaken
// for rolled back. Scripts are sent as `Query` and may commit at any time.
const COMMITTING = new Set(['S', 'Q'].map((letter) => letter.charCodeAt(0)));

export type StatementTimeout = ReturnType<typeof openStatementTimeout>;

/**
 * Limits the time of statements of an open database, from their arrival to their last row, but not during their commit.
 *
 * @param onLost called when the watching thread has failed, so that statements no longer have a time limit.
 */
export function openStatementTimeout(pglite: PGlite, timeoutMs: number, onLost: (error: Error) => void = () => {}) {
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
      // A cancellation at the very end of a statement must not affect the next one.
      postgres.HEAPU8[postgres._QueryCancelPending] = 0;
    }
  };

  const cancel = () => {
    // The request may arrive while another statement is running.
    if (Atomics.load(running, 0) === 0 || performance.now() - startedAt < timeoutMs) return;
    postgres.HEAPU8[postgres._QueryCancelPending] = 1;
    postgres.HEAPU8[postgres._InterruptPending] = 1;
  };
  opened += 1;
  const name = `product-data-api: cancel statement ${opened}`;
  const registry = globalThis as unknown as Record<symbol, (() => void) | undefined>;
  registry[Symbol.for(name)] = cancel;

  const worker = new Worker(join(packageRoot(), 'dist', 'statement-watch.js'), {
    workerData: { running, timeoutMs, cancel: `globalThis[Symbol.for('${name}')]?.()` } satisfies Watching,
    execArgv: [],
  });
  worker.unref();
  worker.on('error', onLost);

  return {
    /** Limits the time of each statement that `work` runs. */
    async limit<Result>(work: () => Promise<Result>) {
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
