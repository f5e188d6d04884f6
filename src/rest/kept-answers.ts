/**
 * Whole answers in memory, as they were written, for as long as the catalogue stays as it is. A request is metered whether its
 * answer is kept or not.
 */
import { LRUCache } from 'lru-cache';
import type { CatalogueVersion } from '../catalogue/version.ts';
import { etagOf, isNotModified } from '../http/etag.ts';
import { type Answer, type Exchange, headerOf } from '../http/exchange.ts';

/** An answer as it goes out to everyone who asks the same. */
export interface WrittenAnswer {
  /** A text: Node sends it together with the headers, in one write. */
  body: string;
  /** The body's length in UTF-8. */
  bytes: number;
  etag: string;
  headers: Readonly<Record<string, string>>;
  /** What a client may want next: relation and path. */
  links: Readonly<Record<string, string>>;
  /** The compressed forms that somebody has asked for. */
  compressed: Map<string, Promise<Uint8Array>>;
}

/** What is kept between requests. */
export interface Keeping {
  answers: KeptAnswers;
  version: CatalogueVersion;
}

export interface KeptAnswers {
  /** The answer to a request target, in one form, that was kept while the catalogue was of this version. */
  find(target: string, version: bigint): WrittenAnswer | undefined;
  /** Keeps an answer that was made from reads of this version or a newer one. */
  keep(target: string, version: bigint, answer: WrittenAnswer): void;
  /** How often an answer was there and was not, and how much memory they take; for metrics. */
  figures(): { hits: number; misses: number; bytes: number };
}

const MEGABYTE = 1_048_576;
// A body may take two bytes a character, and its compressed forms less than one; headers and the place in the cache come on top.
const OVERHEAD = 1_024;

/** @param megabytes how much memory the answers may take. */
export function keepAnswers(megabytes: number): KeptAnswers {
  const answers = new LRUCache<string, WrittenAnswer>({
    maxSize: Math.max(1, megabytes) * MEGABYTE,
    sizeCalculation: ({ body }, target) => 3 * body.length + target.length + OVERHEAD,
  });
  let keptOf: bigint | undefined;
  let hits = 0;
  let misses = 0;
  const startAnew = (version: bigint) => {
    if (keptOf === version) return;
    answers.clear();
    keptOf = version;
  };
  return {
    find(target, version) {
      startAnew(version);
      const answer = answers.get(target);
      if (answer) hits += 1;
      else misses += 1;
      return answer;
    },
    keep(target, version, answer) {
      // An answer that took longer than its version lasted is of no use any more.
      if (keptOf === version) answers.set(target, answer);
    },
    figures: () => ({ hits, misses, bytes: answers.calculatedSize }),
  };
}

/** Gives the answer that is kept, or one that is made now, and kept if the catalogue's version is known. */
export function openKeeping({
  answers,
  version,
}: Keeping): (target: string, work: () => Promise<WrittenAnswer>) => Promise<WrittenAnswer> {
  return async (target, work) => {
    const current = version.known() ?? (await version.look());
    if (current === undefined) return work();
    const kept = answers.find(target, current);
    if (kept) return kept;
    const written = await work();
    answers.keep(target, current, written);
    return written;
  };
}

/** An answer with its entity tag. */
export function writeAnswer(
  body: string,
  headers: Readonly<Record<string, string>>,
  links: WrittenAnswer['links'] = {},
): WrittenAnswer {
  const etag = etagOf(body);
  return {
    body,
    bytes: Buffer.byteLength(body),
    etag,
    headers: { ...headers, ETag: etag },
    links,
    compressed: new Map(),
  };
}

/** The answer to this client: 304 when it has it already. */
export function respond(exchange: Exchange, { body, bytes, etag, headers, compressed }: WrittenAnswer): Answer {
  if (isNotModified(headerOf(exchange, 'if-none-match'), etag)) {
    return { status: 304, headers: { ...headers }, body: null };
  }
  return { status: 200, headers: { ...headers, 'Content-Length': String(bytes) }, body, compressed };
}
