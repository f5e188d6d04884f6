/** The thread that cancels statements of the embedded database that run too long: see statement-timeout.ts. */
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import type { Watching } from './statement-timeout.ts';

const LOOK_EVERY_MS = 100;

const { running, timeoutMs, cancel } = workerData as Watching;
let watched = 0;
let since = 0;

setInterval(() => {
  const statement = Atomics.load(running, 0);
  if (statement !== watched) {
    watched = statement;
    since = performance.now();
    return;
  }
  if (statement !== 0 && performance.now() - since >= timeoutMs) interrupt();
}, LOOK_EVERY_MS);

/** Cancels the statement. Connects only for this, because a process that ends with an inspector session prints a debugger notice. */
function interrupt(): void {
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: cancel }, () => session.disconnect());
  watched = 0; // Retried after the same time if the statement has not ended.
}
