/** The inside of the door: serves another process's queries on the embedded database that this process holds. */
import type { Socket } from 'node:net';
import type { Database, Queryable } from './database.ts';
import { type DoorAnswer, DoorRequest, LONGEST_REQUEST_BYTES, receiveFrames, sendFrame } from './door-frames.ts';

/** A transaction that a visitor has open; settled by its commit, its rollback, or its going away. */
interface OpenTransaction {
  on: Queryable;
  commit(): void;
  rollback(): void;
  ended: Promise<void>;
}

const rolledBack = Symbol('rolled back');

// A transaction holds up all others, among them every request of the server. Imports read their feed before they begin one.
const LONGEST_IDLE_MS = 30_000;

/**
 * Serves one visitor until it leaves. A transaction that it leaves open is rolled back. A visitor that sends what is no request
 * is sent away, and so is one that has a transaction open and sends nothing for `longestIdleMs`, as a stopped process does.
 */
export function serveDoor(visitor: Socket, ready: Promise<Database>, longestIdleMs = LONGEST_IDLE_MS): void {
  let turn: Promise<void> = Promise.resolve();
  let open: OpenTransaction | undefined;
  let idle: NodeJS.Timeout | undefined;

  const answerTo = async (request: DoorRequest): Promise<DoorAnswer> => {
    const database = await ready;
    switch (request.kind) {
      case 'query':
        return { rows: await (open?.on ?? database).query(request.sql, request.parameters) };
      case 'script':
        await (open?.on ?? database).script(request.sql);
        return { rows: [] };
      case 'begin':
        if (open) throw new Error('A transaction is open already.');
        open = await begin(database);
        return { rows: [] };
      case 'commit':
      case 'rollback': {
        const ending = open;
        open = undefined;
        ending?.[request.kind]();
        await ending?.ended;
        return { rows: [] };
      }
    }
  };

  const serve = async (request: DoorRequest): Promise<void> => {
    clearTimeout(idle);
    const answer = await answerTo(request).catch(asAnswer);
    if (visitor.destroyed) return;
    sendFrame(visitor, answer);
    if (open) idle = setTimeout(() => visitor.destroy(), longestIdleMs);
  };

  receiveFrames(
    visitor,
    LONGEST_REQUEST_BYTES,
    (value) => {
      const request = DoorRequest.safeParse(value);
      if (!request.success) visitor.destroy();
      // An answer that cannot be sent is longer than a frame can be.
      else turn = turn.then(() => serve(request.data)).catch(() => void visitor.destroy());
    },
    () => visitor.destroy(),
  );
  visitor.on('error', () => visitor.destroy());
  visitor.on('close', () => {
    turn = turn.then(() => {
      clearTimeout(idle);
      open?.rollback();
    });
  });
}

async function begin(database: Database): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    const ended = database
      .transaction(
        (on) =>
          new Promise<void>((commit, fail) => {
            const end = Promise.resolve().then(() => ended);
            end.catch(() => {}); // Of a visitor that has gone, nobody is told.
            resolve({ on, commit, rollback: () => fail(rolledBack), ended: end });
          }),
      )
      .catch((error: unknown) => {
        reject(error); // Without effect once `begin` has been answered.
        if (error !== rolledBack) throw error;
      });
  });
}

function asAnswer(error: unknown): DoorAnswer {
  const { message, code, detail } = error as { message: string; code?: string; detail?: string };
  return { error: { message, ...(code !== undefined && { code }), ...(detail !== undefined && { detail }) } };
}
