/** Steady load on one or more servers, and the books of it: what each request was answered, and how long that took. */
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '../../src/database/database.ts';

/** What is asked: a GET of the path, or with a body a POST of JSON. */
export interface LoadRequest {
  path: string;
  body?: string;
  /** What it costs, in requests; 1 by default. */
  cost?: number;
}

export interface LoadOptions {
  /** The servers, asked in turn. */
  addresses: readonly string[];
  key: string;
  /** What is asked for, in turn. */
  paths: readonly (string | LoadRequest)[];
  /** Clients that each ask one thing at a time. */
  clients?: number;
  /** Milliseconds that a client rests between an answer and its next request. */
  restMs?: number;
  /** Forgets what the answers were but for their status, for loads that go on for long. */
  isBrief?: boolean;
  /** Who has no answer by then gives up; that is a hang. */
  patienceMs?: number;
}

/** One request as its client saw it. */
export interface Asked {
  address: string;
  path: string;
  /** What it costs, in requests. */
  cost: number;
  /** Milliseconds since the load's start. */
  at: number;
  /** How long the answer took. */
  ms: number;
  /** 0 where the connection ended before an answer was whole. */
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
  /** True for who gave up waiting. */
  isHang: boolean;
}

export interface Load {
  /** What was asked until now. */
  readonly asked: readonly Asked[];
  /** Settles when this many more requests have been answered with this status. */
  answers(status: number, count: number): Promise<void>;
  /** Asks nothing more, and settles when the last answer has come. */
  stop(): Promise<Books>;
}

/** The sum of a load. */
export interface Books {
  asked: readonly Asked[];
  /** How many were answered with a status; 0 is for no answer. */
  count(status: number): number;
  /** What the answers cost that are deducted from the quota (decisions §4), in requests. */
  charged: number;
  /** What those cost that have no answer, and may have been deducted or not. */
  unanswered: number;
  hangs: number;
  slowestMs: number;
}

const NOT_DEDUCTED = new Set([401, 402, 429]);

/** Begins to ask. */
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
