/**
 * The system completes connections before this process takes them, and keeps them in a queue. What is in that queue when the listener
 * closes is reset, although its client has connected: so the queue has to be empty at that moment.
 */
import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

// A client that connects again after each answer does so within this time, where it is near.
const QUIET_MS = 25;
const LOOK_EVERY_MS = 5;
/** A stream of connections that does not end is cut off after this time. */
const LONGEST_MS = 500;

/**
 * Settles when no connection has come for a moment, in the very turn of the event loop in which the queue was looked at: what closes the
 * listener then, without waiting for anything else, resets only connections that are completed within microseconds.
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
    await new Promise(setImmediate); // Runs right after connections were taken from the queue.
    const now = performance.now();
    if (now - newestAt >= QUIET_MS || now - startedAt >= LONGEST_MS) break;
  }
  server.off('connection', note);
}
