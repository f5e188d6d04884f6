/** Exports as clients read them. */
import type { Answer, Asking, TestGateway } from './gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any member, and fail if it is not as expected.
export type Line = any;

export interface Exported extends Answer {
  /** All lines but the last one. */
  lines: Line[];
  /** The last line; `undefined` if the response was cut. */
  end: Line;
}

/** The lines of an export and its last one. */
export function readLines(text: string): Pick<Exported, 'lines' | 'end'> {
  const lines: Line[] = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const end = 'end' in (lines.at(-1) ?? {}) ? lines.pop() : undefined;
  return { lines, end };
}

/** Exports something. @param path below `/api/v1/exports/`, with its query. */
export async function exported(gateway: TestGateway, path: string, asking: Asking): Promise<Exported> {
  const response = await fetch(`${gateway.address}/api/v1/exports/${path}`, {
    ...asking,
    headers: { 'x-api-key': asking.key ?? '', ...asking.headers },
  });
  const text = await response.text();
  const isProblem = response.status !== 200;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isProblem && text !== '' ? JSON.parse(text) : undefined,
    ...(isProblem ? { lines: [], end: undefined } : readLines(text)),
  };
}
