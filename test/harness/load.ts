/** Steady load on one or more servers, and its books: the response to each request, and how long it took. */
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '../../src/database/database.ts';

/** A request: a GET of the path, or a POST of JSON if it has a body. */
export interface LoadRequest {
  path: string;
  body?: string;
  /** Its cost in requests; 1 by default. */
  cost?: number;
}

export interface LoadOptions {
  /** The servers, used in turn. */
  addresses: readonly string[];
  key: string;
  /** The requests, sent in turn. */
  paths: readonly (string | LoadRequest)[];
  /** The number of clients, each with one request at a time. */
  clients?: number;
  /** Milliseconds that a client pauses between a response and its next request. */
  restMs?: number;
  /** Records only the status of responses, for long loads. */
  isBrief?: boolean;
  /** A client without a response by then gives up, which counts as a hang. */
  patienceMs?: number;
}

/** One request as its client saw it. */
export interface Asked {
  address: string;
  path: string;
  /** Its cost in requests. */
  cost: number;
  /** Milliseconds since the load's start. */
  at: number;
  /** How long the response took. */
  ms: number;
  /** 0 if the connection ended before the response was complete. */
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
  /** True if the client gave up waiting. */
  isHang: boolean;
}

export interface Load {
  /** The requests until now. */
  readonly asked: readonly Asked[];
  /** Resolves when this many more requests have been answered with this status. */
  answers(status: number, count: number): Promise<void>;
  /** Stops sending requests, and resolves when the last response has arrived. */
  stop(): Promise<Books>;
}

/** The totals of a load. */
export interface Books {
  asked: readonly Asked[];
  /** How many were answered with a status; 0 means no response. */
  count(status: number): number;
  /** The cost in requests of the responses that are deducted from the quota. */
  charged: number;
  /** The cost in requests of those without a response, which may or may not have been deducted. */
  unanswered: number;
  hangs: number;
  slowestMs: number;
}

const NOT_DEDUCTED = new Set([401, 402, 429]);

/** Starts the load. */
export function startLoad({
  addresses,
  key,
  paths,
  clients = 8,
  restMs = 10,
  patienceMs = 30_000,
  isBrief = false,
}: LoadOptions): Load {
  const startedAt = performance.now();
  const asked: Asked[] = [];
  const agent = new Agent({ keepAlive: true });
  const watchers = new Set<() => void>();
  let turn = 0;
  let isStopped = false;

  const askOne = (address: string, { path, body: sent, cost = 1 }: LoadRequest): Promise<Asked> =>
    new Promise((resolve) => {
      const at = performance.now();
      let isHang = false;
      const end = (status: number, headers: Asked['headers'] = {}, body = '') => {
        const answer = isBrief ? { headers: {}, body: '' } : { headers, body };
        resolve({ address, path, cost, at: at - startedAt, ms: performance.now() - at, status, isHang, ...answer });
      };
      const method = sent === undefined ? 'GET' : 'POST';
      const headers = { 'x-api-key': key, ...(sent !== undefined && { 'content-type': 'application/json' }) };
      const asking = request(address + path, { agent, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => end(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString()));
        response.on('error', () => end(0));
      });
      asking.setTimeout(patienceMs, () => {
        isHang = true;
        asking.destroy();
      });
      asking.on('error', () => end(0));
      asking.end(sent);
    });
  const client = async () => {
    while (!isStopped) {
      const address = addresses[turn % addresses.length] ?? '';
      const next = paths[turn % paths.length] ?? '';
      turn += 1;
      asked.push(await askOne(address, typeof next === 'string' ? { path: next } : next));
      for (const watch of watchers) watch();
      await wait(restMs);
    }
  };
  const asking = Promise.all(Array.from({ length: clients }, client));

  return {
    asked,
    answers(status, count) {
      const first = asked.length;
      return new Promise((resolve) => {
        const watch = () => {
          if (asked.slice(first).filter((one) => one.status === status).length < count) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
      });
    },
    async stop() {
      isStopped = true;
      await asking;
      agent.destroy();
      return booksOf(asked);
    },
  };
}

function booksOf(asked: readonly Asked[]): Books {
  const costOf = (some: readonly Asked[]) => some.reduce((sum, { cost }) => sum + cost, 0);
  return {
    asked,
    count: (status) => asked.filter((one) => one.status === status).length,
    charged: costOf(asked.filter(({ status }) => status > 0 && status < 500 && !NOT_DEDUCTED.has(status))),
    unanswered: costOf(asked.filter(({ status }) => status === 0)),
    hangs: asked.filter(({ isHang }) => isHang).length,
    slowestMs: asked.reduce((slowest, { ms }) => Math.max(slowest, ms), 0),
  };
}

/** Requests deducted from all keys, in all months. */
export async function deducted(database: Queryable): Promise<number> {
  const [row] = await database.query<{ used: bigint }>(
    'SELECT COALESCE(sum(used), 0)::bigint AS used FROM usage_counter',
  );
  return Number(row?.used ?? 0);
}
