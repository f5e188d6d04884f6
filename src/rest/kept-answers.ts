/**
 * Whole answers in memory, as they were written, for as long as the catalogue stays as it is. A request is metered whether its
 * answer is kept or not.
 */
import { LRUCache } from 'lru-cache';

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

export interface KeptAnswers {
  /** The answer to a request target, in one form, that was kept while the catalogue was of this version. */
  find(target: string, version: bigint): WrittenAnswer | undefined;
  /** Keeps an answer that was made from reads of this version or a newer one. */
  keep(target: string, version: bigint, answer: WrittenAnswer): void;
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
  const startAnew = (version: bigint) => {
    if (keptOf === version) return;
    answers.clear();
    keptOf = version;
  };
  return {
    find(target, version) {
      startAnew(version);
      return answers.get(target);
    },
    keep(target, version, answer) {
      // An answer that took longer than its version lasted is of no use any more.
      if (keptOf === version) answers.set(target, answer);
    },
  };
}
