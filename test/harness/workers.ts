/** An instance of several workers: which processes they are, and requests that reach all of them. */
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { ServerProcess } from './process.ts';

/** The process ids of the workers, as Linux reports them (proc(5)). */
export function workersOf({ child: { pid } }: ServerProcess): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);
}

export interface AnewAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a GET over a connection of its own. Workers get connections in turn, so two such requests reach two workers. */
export function askAnew(url: string, headers: Record<string, string> = {}): Promise<AnewAnswer> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}
