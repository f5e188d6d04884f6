/**
 * The system completes connections before this process accepts them, and keeps them in a queue. Closing the listener resets the
 * connections in that queue, although their clients have connected, so the queue must be empty at that time.
 */
import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

// A nearby client that reconnects after each answer does so within this time.
const QUIET_MS = 25;
const LOOK_EVERY_MS = 5;
/** How long to wait at most, if connections keep arriving. */
const LONGEST_MS = 500;

/**
 * Settles when no connection has arrived for a while, in the same turn of the event loop in which the queue was emptied. A caller that
 * closes the listener immediately resets only connections that complete within microseconds.
 */
export async function acceptQueueEmpty(server: Server): Promise<void> {
  const startedAt = performance.now();
  let newestAt = startedAt;
  const note = () => {
    newestAt = performance.now();
  };
  server.on('connection', note);
  for (;;) {
    await wait(LOOK_EVERY_MS);
    await new Promise(setImmediate); // Runs right after connections were accepted from the queue.
    const now = performance.now();
    if (now - newestAt >= QUIET_MS || now - startedAt >= LONGEST_MS) break;
  }
  server.off('connection', note);
}
