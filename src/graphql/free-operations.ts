/**
 * Operations that cost nothing: introspection and the plans. Their responses depend only on the request, so each is made once and kept.
 * One that is not in memory is made in the turn of its client's address, which pays for the CPU time.
 */
import { LRUCache } from 'lru-cache';
import { type Answer, type Exchange, headerOf } from '../http/exchange.ts';
import { CPU_MS_OF_REQUEST, type FreeWork, type Leave } from '../http/free-work.ts';

// Clients can vary documents without end.
const MOST_KEPT = 32;
const MOST_KEPT_BYTES = 8_388_608;

type Kept = { answer: Answer } & Pick<Exchange, 'endpoint' | 'operationName'>;

export type FreeOperations = ReturnType<typeof openFreeOperations>;

/** Opens the memory of responses. @param work gives each request without one its turn. */
export function openFreeOperations(work: FreeWork) {
  const kept = new LRUCache<string, Kept>({
    max: MOST_KEPT,
    maxSize: MOST_KEPT_BYTES,
    // Up to two bytes for each character, and the compressed forms.
    sizeCalculation: ({ answer: { body } }, key) => 3 * ((body as string).length + key.length),
  });
  const underWay = new WeakMap<Exchange, { leave: Leave; before: NodeJS.CpuUsage }>();

  return {
    /** The response in memory to a request with this body. */
    find(exchange: Exchange, body: string | null): Answer | undefined {
      const known = kept.get(keyOf(exchange, body));
      if (!known) return undefined;
      const { answer, ...names } = known;
      Object.assign(exchange, names);
      return answer;
    },
    /** Waits for the turn of a request. @throws {Problem} as {@link FreeWork.enter} does. */
    async enter(exchange: Exchange): Promise<void> {
      const leave = await work.enter(exchange);
      underWay.set(exchange, { leave, before: process.cpuUsage() });
    },
    /** Ends the turn of a request, if it had one. A response with data is kept. */
    leave(exchange: Exchange, body: string | null, answer: Answer | undefined): void {
      const turn = underWay.get(exchange);
      if (!turn) return;
      const { user, system } = process.cpuUsage(turn.before);
      void pay(exchange, Math.ceil((user + system) / 1_000 / CPU_MS_OF_REQUEST) - 1);
      turn.leave();
      if (answer?.status !== 200 || !isData(answer)) return;
      answer.dressed = {};
      const { endpoint, operationName } = exchange;
      kept.set(keyOf(exchange, body), { answer, endpoint, ...(operationName !== undefined && { operationName }) });
    },
  };
}

/** Counts the work of a request that is answered in any case: if that is too much, the address's next request is refused. */
async function pay({ access }: Exchange, price: number): Promise<void> {
  try {
    if (price > 0) await access.admitFree(price);
  } catch {
    // As described.
  }
}

/** Whether a response has data and no errors, which graphql-js puts before the data. */
const isData = ({ body }: Answer): boolean => typeof body === 'string' && body.startsWith('{"data":');

/** Everything in a request on which its response depends. Only the body, the last part, can contain a line break. */
const keyOf = (exchange: Exchange, body: string | null): string =>
  [exchange.search, headerOf(exchange, 'content-type'), headerOf(exchange, 'accept'), body].join('\n');
