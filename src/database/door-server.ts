/** The server side of the door: serves other processes' queries on the embedded database that this process holds. */
import type { Socket } from 'node:net';
import type { Database } from './database.ts';
import {
  type DoorAnswer,
  DoorError,
  DoorRequest,
  LONGEST_REQUEST_BYTES,
  receiveFrames,
  sendFrame,
} from './door-frames.ts';
import { beginTransaction, type OpenTransaction } from './open-transaction.ts';

// A transaction blocks all other statements, including every request of the server. Imports read their feed before starting one.
const LONGEST_IDLE_MS = 30_000;

/**
 * Serves one client until it disconnects; its open transaction is then rolled back. A client is disconnected if it sends an invalid
 * request, or if it has an open transaction or the turn of a writer and sends nothing for `longestIdleMs`, as a suspended process does.
 */
export function serveDoor(visitor: Socket, ready: Promise<Database>, longestIdleMs = LONGEST_IDLE_MS): void {
  let turn: Promise<void> = Promise.resolve();
  let open: OpenTransaction | undefined;
  let endTurn: (() => void) | undefined;
  let idle: NodeJS.Timeout | undefined;

  const answerTo = async (request: DoorRequest): Promise<DoorAnswer> => {
    const database = await ready;
    const on = open?.on ?? database;
    switch (request.kind) {
      case 'query':
        return { rows: await on.query(request.sql, request.parameters, yieldingAs(request)) };
      case 'raw':
        return { raw: await on.raw(request.sql, request.parameters) };
      case 'script':
        await on.script(request.sql, yieldingAs(request));
        return { rows: [] };
      case 'begin':
        if (open) throw new Error('A transaction is open already.');
        open = await beginTransaction(database, { ...yieldingAs(request), keepsPlans: request.keepsPlans ?? false });
        return { rows: [] };
      case 'commit':
      case 'rollback': {
        const ending = open;
        open = undefined;
        await ending?.[request.kind]();
        return { rows: [] };
      }
      case 'hold':
        if (endTurn) throw new Error('This client writes already.');
        endTurn = await database.writers?.hold(request.isPatient);
        return { rows: endTurn ? [{}] : [] };
      case 'release':
        endTurn?.();
        endTurn = undefined;
        return { rows: [] };
    }
  };

  const serve = async (request: DoorRequest): Promise<void> => {
    clearTimeout(idle);
    const answer = await answerTo(request).catch(asAnswer);
    if (visitor.destroyed) return;
    sendFrame(visitor, answer);
    if (open || endTurn) idle = setTimeout(() => visitor.destroy(), longestIdleMs);
  };

  const disconnect = () => void visitor.destroy();
  const onRequest = (value: unknown) => {
    const request = DoorRequest.safeParse(value);
    if (!request.success) disconnect();
    // Sending fails only if the answer is too long for a frame.
    else turn = turn.then(() => serve(request.data)).catch(disconnect);
  };
  receiveFrames(visitor, LONGEST_REQUEST_BYTES, onRequest, disconnect);
  visitor.on('error', disconnect);
  visitor.on('close', () => {
    turn = turn.then(() => {
      clearTimeout(idle);
      const end = () => endTurn?.();
      if (!open) return end();
      open.rollback().then(end, end); // The client has gone, so there is no one to tell.
    });
  });
}

const yieldingAs = ({ yields = false }: { yields?: boolean | undefined }) => ({ yields });

function asAnswer(error: unknown): DoorAnswer {
  const known = DoorError.safeParse(error);
  return { error: known.success ? known.data : { message: String(error) } };
}
