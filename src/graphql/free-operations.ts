/**
 * Operations that cost nothing: introspection and the plans. Their responses depend only on the request, so each is made once and kept.
 * One that is not in memory waits in the queue of free work, and its client's address pays for the CPU time.
 */
import { LRUCache } from 'lru-cache';
import { type Answer, type Exchange, headerOf } from '../http/exchange.ts';
import { CPU_MS_OF_REQUEST, type FreeWork, type Leave } from '../http/free-work.ts';
import { acceptOf } from './media-type.ts';

// Clients can vary documents without end.
const MOST_KEPT = 32;
const MOST_KEPT_BYTES = 8_388_608;

type Kept = { answer: Answer } & Pick<Exchange, 'endpoint' | 'operationName'>;

/** A request that makes its response. */
interface UnderWay {
  leave: Leave;
  /** The CPU time of the process before, in milliseconds. */
  before: number;
}

/**
 * Opens the memory of responses.
 * @param cpuMs the CPU time of the process so far, in milliseconds. Free operations do not wait for the database, so hardly anything else runs
 *   meanwhile.
 */
export function openFreeOperations(work: Pick<FreeWork, 'enter'>, cpuMs = cpuMsOfProcess) {
  const kept = new LRUCache<string, Kept>({
    max: MOST_KEPT,
    maxSize: MOST_KEPT_BYTES,
    // Up to two bytes for each character, and the compressed forms.
    sizeCalculation: ({ answer: { body } }, key) => 3 * ((body as string).length + key.length),
  });
  const underWay = new WeakMap<Exchange, UnderWay>();

  const findKept = (exchange: Exchange): Answer | undefined => {
    const known = kept.get(keyOf(exchange));
    if (!known) return undefined;
    const { answer, ...names } = known;
    Object.assign(exchange, names);
    return answer;
  };

  /** Keeps the response to a request, if it has data. @returns the response, or the one that another request has made meanwhile. */
  const keep = (exchange: Exchange, made: Answer): Answer => {
    const known = findKept(exchange);
    if (known || made.status !== 200 || !hasData(made)) return known ?? made;
    made.dressed = {};
    const { endpoint, operationName } = exchange;
    const names = { endpoint, ...(operationName !== undefined && { operationName }) };
    kept.set(keyOf(exchange), { answer: made, ...names });
    return made;
  };

  return {
    /** The response in memory to a request whose body could be read. */
    find: (exchange: Exchange) =>
      mayBeFree(exchange.body()) || mayBeFree(exchange.search) ? findKept(exchange) : undefined,
    /**
     * Waits until the response to a request may be made, within the work of `run`.
     * @returns false if another request has made it meanwhile.
     * @throws {Problem} as {@link FreeWork.enter} does.
     */
    async enter(exchange: Exchange): Promise<boolean> {
      const leave = await work.enter(exchange);
      underWay.set(exchange, { leave, before: cpuMs() });
      return !kept.has(keyOf(exchange));
    },
    /** Makes the response to a request. If the request has waited for its turn, its address pays, and the response is kept. */
    async run(exchange: Exchange, make: () => Promise<Answer>): Promise<Answer> {
      try {
        const made = await make();
        return underWay.has(exchange) ? keep(exchange, made) : made;
      } finally {
        const own = underWay.get(exchange);
        if (own) {
          void pay(exchange, Math.ceil((cpuMs() - own.before) / CPU_MS_OF_REQUEST) - 1);
          own.leave();
        }
      }
    },
  };
}

/** Whether a text may contain a free field. Most requests are lookups, for which a look into the memory would take longer. */
const mayBeFree = (text: string): boolean => text.includes('__') || text.includes('plans');

function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Counts the work of a request that is answered in any case: if that is too much, the address's next request is refused. */
async function pay({ access }: Exchange, price: number): Promise<void> {
  try {
    if (price > 0) await access.admitFree(price);
  } catch {
    // The next request of the address is told so.
  }
}

/** Whether a response has data and no errors, which graphql-js puts before the data. */
const hasData = ({ body }: Answer): boolean => typeof body === 'string' && body.startsWith('{"data":');

/** Everything in a request on which its response depends. Only the body, the last part, can contain a line break. */
const keyOf = (exchange: Exchange): string =>
  [
    exchange.method === 'POST',
    exchange.search,
    headerOf(exchange, 'content-type'),
    acceptOf(exchange),
    exchange.body(),
  ].join('\n');
