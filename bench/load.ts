/** Drives a server with a real load generator: wrk if it is installed, otherwise autocannon. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A request: a GET of the path, or a POST of JSON if it has a body. */
export interface BenchRequest {
  path: string;
  key: string;
  body?: string;
}

/** The result of a round. */
export interface Round {
  /** Responses per second. */
  rate: number;
  responses: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export interface Load {
  address: string;
  connections: number;
  seconds: number;
}

/** Requests that can be sent again and again. */
export interface Traffic {
  file: string;
  requests: readonly BenchRequest[];
}

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

/** The name of the load generator. */
export const generator = hasWrk ? 'wrk' : 'autocannon';

/** Writes requests to a file for the load generator. */
export function makeTraffic(folder: string, name: string, requests: readonly BenchRequest[]): Traffic {
  const file = join(folder, `${name}.tsv`);
  writeFileSync(file, requests.map(({ path, key, body = '' }) => `${path}\t${key}\t${body}\n`).join(''));
  return { file, requests };
}

/** Sends requests for some seconds. @throws if a response is not successful, because the round would measure something else. */
export async function drive(load: Load, traffic: Traffic): Promise<Round> {
  return hasWrk ? driveWithWrk(load, traffic) : driveWithAutocannon(load, traffic);
}

async function driveWithWrk({ address, connections, seconds }: Load, { file }: Traffic): Promise<Round> {
  const script = join(import.meta.dirname, '..', '..', 'bench', 'requests.lua');
  const words = [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    '--timeout',
    '10s',
    '-s',
    script,
    address,
    file,
  ];
  const child = spawn('wrk', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await once(child, 'close');
  const result = /^RESULT (.+)$/m.exec(said)?.[1];
  if (result === undefined) throw new Error(`wrk said:\n${said}`);
  const { requests, microseconds, p50, p99, faults } = JSON.parse(result);
  if (faults > 0) throw new Error(`${faults} of ${requests} requests to ${address} failed or got no response.`);
  return { rate: (requests * 1e6) / microseconds, responses: requests, p50: p50 / 1000, p99: p99 / 1000 };
}

async function driveWithAutocannon({ address, connections, seconds }: Load, { requests }: Traffic): Promise<Round> {
  const autocannon = createRequire(join(import.meta.dirname, '..', '..', 'bench', 'peers', 'package.json'))(
    'autocannon',
  );
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    // Preparing the requests of all connections takes seconds, which count as waiting.
    timeout: 60,
    requests: requests.slice(0, 20_000).map(({ path, key, body }) => ({
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    })),
  });
  const faults = result.non2xx + result.errors + result.timeouts;
  if (faults > 0) throw new Error(`${faults} requests to ${address} failed or got no response.`);
  const { p50, p99 } = result.latency;
  return { rate: result.requests.average, responses: result.requests.total, p50, p99 };
}
