/** Caches complete responses in memory until the catalogue changes. Requests are metered wherever their responses come from. */
import { LRUCache } from 'lru-cache';
import type { CatalogueVersion } from '../catalogue/version.ts';
import { etagOf, isNotModified } from '../http/etag.ts';
import { type Answer, type DressedForms, type Exchange, headerOf } from '../http/exchange.ts';
import type { Soon } from '../soon.ts';

/** A response as it is sent to every client with the same request. */
export interface WrittenAnswer {
  /** A string, which Node sends together with the headers in one write. */
  body: string;
  etag: string;
  headers: Record<string, string>;
  /** Links to related resources: relation and path. */
  links: Readonly<Record<string, string>>;
  /** The forms that clients have requested so far. */
  dressed: DressedForms;
}

/** The cache, and the catalogue version that it depends on. */
export interface Keeping {
  answers: KeptAnswers;
  version: CatalogueVersion;
}

export type KeptAnswers = ReturnType<typeof keepAnswers>;

const MEGABYTE = 1_048_576;
// A body takes up to two bytes per character, its compressed forms less than one. This is for the headers and the cache entry.
const OVERHEAD = 1_024;

/** @param megabytes the most memory that the responses may take. */
export function keepAnswers(megabytes: number) {
  const answers = new LRUCache<string, WrittenAnswer>({
    maxSize: Math.floor(Math.max(1, megabytes) * MEGABYTE),
    sizeCalculation: ({ body }, target) => 3 * body.length + target.length + OVERHEAD,
  });
  let keptOf: bigint | undefined;
  let hits = 0;
  let misses = 0;
  return {
    /** The response to a request target in one form, if it was cached for this version of the catalogue. */
    find(target: string, version: bigint): WrittenAnswer | undefined {
      if (keptOf !== version) answers.clear();
      keptOf = version;
      const answer = answers.get(target);
      if (answer) hits += 1;
      else misses += 1;
      return answer;
    },
    /** Caches a response that was read at this version or a newer one; one of an older version is out of date. */
    keep(target: string, version: bigint, answer: WrittenAnswer): void {
      if (keptOf === version) answers.set(target, answer);
    },
    /** Hits, misses and memory use, for metrics. */
    figures: () => ({ hits, misses, bytes: answers.calculatedSize }),
  };
}

/** Returns the cached response, or makes one, which is cached if the catalogue's version is known. */
export function openKeeping({ answers, version }: Keeping) {
  const make = async (current: bigint, target: string, work: () => Promise<WrittenAnswer>) => {
    const written = await work();
    answers.keep(target, current, written);
    return written;
  };
  const look = async (target: string, work: () => Promise<WrittenAnswer>) => {
    const current = await version.look();
    if (current === undefined) return work();
    return answers.find(target, current) ?? make(current, target, work);
  };
  return (target: string, work: () => Promise<WrittenAnswer>): Soon<WrittenAnswer> => {
    const current = version.known();
    if (current === undefined) return look(target, work);
    return answers.find(target, current) ?? make(current, target, work);
  };
}

/** A response with its entity tag. */
export function writeAnswer(
  body: string,
  headers: Readonly<Record<string, string>>,
  links: WrittenAnswer['links'] = {},
): WrittenAnswer {
  const etag = etagOf(body);
  return {
    body,
    etag,
    headers: { ...headers, ETag: etag, 'Content-Length': String(Buffer.byteLength(body)) },
    links,
    dressed: {},
  };
}

/** The response for this client: 304 if the client's copy is current. */
export function respond(exchange: Exchange, { body, etag, headers, dressed }: WrittenAnswer): Answer {
  if (isNotModified(headerOf(exchange, 'if-none-match'), etag)) {
    const { 'Content-Length': _, ...others } = headers;
    return { status: 304, headers: others, body: null };
  }
  return { status: 200, headers, body, dressed };
}
