/** The client side of the door: uses the embedded database of a running server from another process of the same user. */
import { connect } from 'node:net';
import { type Connection, type Database, DatabaseUnavailable, type QueryOptions } from './database.ts';
import { type DoorAnswer, type DoorRequest, LONGEST_ANSWER_BYTES, receiveFrames, sendFrame } from './door-frames.ts';

type Result = Exclude<DoorAnswer, { error: unknown }>;

/** Connects to the process that holds the folder. */
export async function enterDoor(path: string, description: string): Promise<Database> {
  const socket = connect(path);
  const waiting: { resolve(result: Result): void; reject(error: Error): void }[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', () => reject(stopped()));
  });
  socket.removeAllListeners('error');
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const one of waiting.splice(0)) one.reject(stopped());
  });
  const onAnswer = (value: unknown) => {
    const answer = value as DoorAnswer;
    const next = waiting.shift();
    if ('error' in answer) next?.reject(Object.assign(new Error(answer.error.message), answer.error));
    else next?.resolve(answer);
  };
  receiveFrames(socket, LONGEST_ANSWER_BYTES, onAnswer, () => socket.destroy());

  const ask = (request: DoorRequest) =>
    new Promise<Result>((resolve, reject) => {
      if (socket.destroyed) return reject(stopped());
      waiting.push({ resolve, reject });
      sendFrame(socket, request);
    });
  const on: Connection = {
    async query<Row>(sql: string, parameters: readonly unknown[] = [], options?: QueryOptions) {
      const result = await ask({ kind: 'query', sql, parameters, yields: options?.yields });
      return ('rows' in result ? result.rows : []) as Row[];
    },
    async raw(sql, parameters = []) {
      const result = await ask({ kind: 'raw', sql, parameters });
      if (!('raw' in result)) throw stopped();
      return result.raw;
    },
    async script(sql, options) {
      await ask({ kind: 'script', sql, yields: options?.yields });
    },
  };

  return {
    description,
    ...on,
    writers: {
      async hold(isPatient) {
        const result = await ask({ kind: 'hold', isPatient });
        if (!('rows' in result) || result.rows.length === 0) return undefined;
        // If the connection has closed, the server has ended the turn.
        return () => void ask({ kind: 'release' }).catch(() => {});
      },
    },
    async transaction(work, options) {
      await ask({ kind: 'begin', ...options });
      try {
        const result = await work(on);
        await ask({ kind: 'commit' });
        return result;
      } catch (error) {
        await ask({ kind: 'rollback' }).catch(() => {}); // The connection is closed, so the server has already rolled back.
        throw error;
      }
    },
    async close() {
      socket.end();
    },
  };
}

const stopped = () =>
  new DatabaseUnavailable(
    'The server that holds the embedded database has closed the connection. Either it has stopped, or it waited too long for the ' +
      'next statement of a transaction and rolled it back. Run this again.',
  );
