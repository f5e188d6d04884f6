/** The inside of the door: serves another process's queries on the embedded database that this process holds. */
import type { Socket } from 'node:net';
import type { Database, Queryable } from './database.ts';
import { type DoorAnswer, type DoorRequest, receiveFrames, sendFrame } from './door-frames.ts';

/** A transaction that a visitor has open; settled by its commit, its rollback, or its going away. */
interface OpenTransaction {
  on: Queryable;
  commit(): void;
  rollback(): void;
  ended: Promise<void>;
}

const rolledBack = Symbol('rolled back');

/** Serves one visitor until it leaves; a transaction that it leaves open is rolled back. */
export function serveDoor(visitor: Socket, ready: Promise<Database>): void {
  let turn: Promise<void> = Promise.resolve();
  let open: OpenTransaction | undefined;

  const answerTo = async (request: DoorRequest): Promise<DoorAnswer> => {
    const database = await ready;
    switch (request.kind) {
      case 'query':
        return { rows: await (open?.on ?? database).query(request.sql, request.parameters) };
      case 'script':
        await (open?.on ?? database).script(request.sql);
        return { rows: [] };
      case 'begin':
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

  receiveFrames<DoorRequest>(visitor, (request) => {
    turn = turn.then(async () => sendFrame(visitor, await answerTo(request).catch(asAnswer)));
  });
  visitor.on('error', () => visitor.destroy());
  visitor.on('close', () => {
    turn = turn.then(() => open?.rollback());
  });
}

async function begin(database: Database): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    const ended = database
      .transaction(
        (on) =>
          new Promise<void>((commit, fail) => {
            resolve({ on, commit, rollback: () => fail(rolledBack), ended: Promise.resolve().then(() => ended) });
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
