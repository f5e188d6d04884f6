/**
 * Open load: requests arrive at a fixed rate, whether earlier ones have been answered or not, as at a service with more clients than
 * it can serve. A load generator whose clients wait for their responses would slow down with the service.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { BenchRequest } from './load.ts';

export interface OpenLoad {
  address: string;
  /** Requests per second; with Infinity each connection sends the next request as soon as it gets a response. */
  rate: number;
  seconds: number;
  connections: number;
}

/** The result of a run. */
export interface Outcome {
  /** Responses with status 200 per second. */
  goodput: number;
  /** For each response with status 200: milliseconds from the time at which its request was due. */
  times: number[];
  /** Responses by status; 0 counts requests without a response. */
  statuses: Map<number, number>;
}

const TICK_MS = 2;
const SETTLE_MS = 3_000;
const HEAD_END = Buffer.from('\r\n\r\n');

interface Connection {
  socket: Socket;
  dueAt: number;
}

/** Sends requests at a steady rate. */
export async function driveOpen(
  { address, rate, seconds, connections }: OpenLoad,
  requests: readonly BenchRequest[],
): Promise<Outcome> {
  const { hostname, port } = new URL(address);
  const statuses = new Map<number, number>();
  const times: number[] = [];
  const free: Connection[] = [];
  /** The due times of requests that wait for a free connection. */
  const queue: number[] = [];
  let turn = Math.floor(Math.random() * requests.length);
  let underWay = 0;
  let isClosing = false;
  let isOver = false;

  const settle = (connection: Connection, status: number) => {
    if (isOver) return;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200) times.push(performance.now() - connection.dueAt);
    underWay -= 1;
    const next = rate === Infinity && !isClosing ? performance.now() : queue.shift();
    if (status === 0) return;
    if (next === undefined) free.push(connection);
    else send(connection, next);
  };
  const send = (connection: Connection, dueAt: number) => {
    const { path, key } = requests[turn % requests.length] as BenchRequest;
    turn += 1;
    underWay += 1;
    connection.dueAt = dueAt;
    connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nx-api-key: ${key}\r\n\r\n`);
  };
  const open = async () => {
    const socket = connect(Number(port), hostname).setNoDelay();
    await once(socket, 'connect');
    const connection: Connection = { socket, dueAt: 0 };
    readAnswers(socket, (status) => settle(connection, status));
    free.push(connection);
    return socket;
  };

  const sockets = await Promise.all(Array.from({ length: connections }, open));
  const startedAt = performance.now();
  const end = startedAt + seconds * 1_000;
  if (rate === Infinity) for (const connection of free.splice(0)) send(connection, startedAt);
  let sent = rate === Infinity ? Infinity : 0;
  for (let now = startedAt; now < end; now = performance.now()) {
    for (; sent < ((now - startedAt) / 1_000) * rate; sent += 1) {
      const dueAt = startedAt + (sent / rate) * 1_000;
      // Takes connections in turn, because the server closes idle ones.
      const connection = free.shift();
      if (connection) send(connection, dueAt);
      else queue.push(dueAt);
    }
    await setTimeout(TICK_MS);
  }
  isClosing = true;
  queue.length = 0;
  for (const deadline = performance.now() + SETTLE_MS; underWay > 0 && performance.now() < deadline; )
    await setTimeout(TICK_MS);
  isOver = true;
  if (underWay > 0) statuses.set(0, (statuses.get(0) ?? 0) + underWay);
  for (const socket of sockets) socket.destroy();
  return { goodput: (statuses.get(200) ?? 0) / seconds, times, statuses };
}

/** Calls back with the status of each complete response, and with 0 if the connection ends. */
function readAnswers(socket: Socket, onAnswer: (status: number) => void): void {
  let status = 0;
  let head: Buffer = Buffer.alloc(0);
  let left = 0;
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    while (rest.length > 0) {
      if (left === 0) {
        head = head.length > 0 ? Buffer.concat([head, rest]) : rest;
        const headEnd = head.indexOf(HEAD_END);
        if (headEnd < 0) return;
        const text = head.toString('latin1', 0, headEnd);
        status = Number(text.slice(9, 12));
        left = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        rest = head.subarray(headEnd + HEAD_END.length);
        head = Buffer.alloc(0);
      }
      const taken = Math.min(left, rest.length);
      left -= taken;
      rest = rest.subarray(taken);
      if (left === 0) onAnswer(status);
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => onAnswer(0));
}
