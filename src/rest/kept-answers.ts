/** Caches complete responses in memory until the catalogue changes in what they show. Requests are metered wherever their responses come from. */
import type { Changes } from '../catalogue/changes.ts';
import { TaggedCache } from '../catalogue/tagged-cache.ts';
import type { Tag } from '../catalogue/tags.ts';
import type { CatalogueVersion } from '../catalogue/version.ts';
import { etagOf, isNotModified } from '../http/etag.ts';
import { type Answer, type DressedForms, type Exchange, type Handler, headerOf } from '../http/exchange.ts';
import type { PathValues } from '../http/router.ts';
import { remembered } from '../remember.ts';
import type { Soon } from '../soon.ts';

/** A response as it is sent to every client with the same request. */
export interface WrittenAnswer {
  /** 200 by default. */
  status?: number;
  /** A string, which Node sends together with the headers in one write. */
  body: string;
  etag: string;
  headers: Record<string, string>;
  /** Links to related resources: relation and path. */
  links: Readonly<Record<string, string>>;
  /** The forms that clients have requested so far. */
  dressed: DressedForms;
}

/** A response, and what it depends on. */
export interface MadeAnswer {
  answer: WrittenAnswer;
  /** Called only if the response is to be cached. */
  tags(): Soon<readonly Tag[]>;
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
// With its place in the index of tags, and the set that it may have there.
const BYTES_OF_TAG = 200;

/** @param megabytes the most memory that the responses may take. */
export function keepAnswers(megabytes: number, changes: Changes) {
  const answers = new TaggedCache<string, WrittenAnswer>(changes, {
    maxSize: Math.floor(Math.max(1, megabytes) * MEGABYTE),
    sizeOf: ({ body }, target, tags) => 3 * body.length + target.length + tags.length * BYTES_OF_TAG + OVERHEAD,
  });
  let hits = 0;
  let misses = 0;
  return {
    /** The response to a request target in one form, if it is cached. To be used only while the version is known. */
    find(target: string): WrittenAnswer | undefined {
      const answer = answers.get(target);
      if (answer) hits += 1;
      else misses += 1;
      return answer;
    },
    /** As `find`, for a request that was counted as a miss and has waited since. */
    findAgain: (target: string): WrittenAnswer | undefined => answers.get(target),
    /** Caches a response, unless it is out of date already. @param since {@link Changes.seen} before its data was read. */
    keep(target: string, answer: WrittenAnswer, tags: readonly Tag[], since: number): void {
      answers.set(target, answer, tags, since);
    },
    /** Hits, misses, evictions by changes, and memory use, for metrics. */
    figures() {
      const { size: bytes, evictedWhole, evictedByTags } = answers.figures;
      return { hits, misses, bytes, evictedWhole, evictedByTags };
    },
  };
}

/** Runs the making of a response, immediately or when a queue lets it. */
type Schedule = (make: () => Promise<WrittenAnswer>) => Promise<WrittenAnswer>;

const immediately: Schedule = (make) => make();

/**
 * Returns the cached response, or makes one, which is cached if the catalogue's version is known. Requests for one response that come
 * while it is made share it. In a queue, another request may have made it meanwhile.
 */
export function openKeeping({ answers, version }: Keeping) {
  const make = async (target: string, work: () => Promise<MadeAnswer>) => {
    const { seen } = version.changes;
    const { answer, tags } = await work();
    answers.keep(target, answer, await tags(), seen);
    return answer;
  };
  const underWay = new Map<string, Promise<WrittenAnswer>>();
  const makeOnce = (target: string, work: () => Promise<MadeAnswer>) => {
    // A response that was begun before a change may lack it.
    const name = `${version.changes.seen} ${target}`;
    return remembered(underWay, name, () => make(target, work).finally(() => underWay.delete(name)));
  };
  const findAgain = (target: string) => (version.known() === undefined ? undefined : answers.findAgain(target));
  const find = (target: string, work: () => Promise<MadeAnswer>, schedule: Schedule) =>
    answers.find(target) ?? schedule(async () => findAgain(target) ?? makeOnce(target, work));
  const look = async (target: string, work: () => Promise<MadeAnswer>, schedule: Schedule) => {
    if ((await version.look()) === undefined) return schedule(async () => (await work()).answer);
    return find(target, work, schedule);
  };
  return (target: string, work: () => Promise<MadeAnswer>, schedule = immediately): Soon<WrittenAnswer> =>
    version.known() === undefined ? look(target, work, schedule) : find(target, work, schedule);
}

/** Serves responses that never change, each made on first use; REST's own have `isFixed`. @param nameOf tells them apart. */
export function serveFixed(make: (values: PathValues) => Soon<WrittenAnswer>, nameOf = (_: PathValues) => ''): Handler {
  const made = new Map<string, Promise<WrittenAnswer>>();
  return async (exchange, values) =>
    respond(exchange, await remembered(made, nameOf(values), async () => make(values)));
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
export function respond(exchange: Exchange, { status = 200, body, etag, headers, dressed }: WrittenAnswer): Answer {
  if (status === 200 && isNotModified(headerOf(exchange, 'if-none-match'), etag)) {
    const { 'Content-Length': _, ...others } = headers;
    return { status: 304, headers: others, body: null };
  }
  return { status, headers, body, dressed };
}
