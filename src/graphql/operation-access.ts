/** Applies the same access checks to GraphQL operations as to REST requests, at the price of their root fields. */
import type { GraphQLError } from 'graphql';
import type { Exchange } from '../http/exchange.ts';
import { costOf, keyedFieldsOf } from './cost.ts';
import { refusal } from './errors.ts';
import { type Limits, MOST_FREE_CHARACTERS } from './limits.ts';

/** A result without data, because the whole request is refused. */
export type Refusal = { errors: GraphQLError[] };

/** What a client sends: unchecked. */
export interface OperationRequest {
  query?: unknown;
  operationName?: string | null | undefined;
  variables?: unknown;
}

/** The result of a request's access check. */
interface Outcome {
  refused: Refusal | undefined;
  /** The final result: the quota is settled while the operation runs. */
  settled: Promise<Refusal | undefined>;
}

const ADMITTED: Promise<undefined> = Promise.resolve(undefined);
/** Keeps an operation from running whose response another request has made meanwhile. */
const NOTHING_TO_RUN: Refusal = { errors: [] };

/** The access checks of all operations. */
export type OperationAccess = ReturnType<typeof openOperationAccess>;

/**
 * @param limit returns the reason for refusing an operation before it runs, if there is one.
 * @param queue waits until a free operation may be examined and run. Returns false if its response has been made meanwhile.
 */
export function openOperationAccess(limit: Limits, queue: (exchange: Exchange) => Promise<boolean>) {
  /** The requests that have been priced. */
  const outcomes = new WeakMap<Exchange, Outcome>();

  const charge = async (exchange: Exchange, cost: number, keyed: number): Promise<Outcome> => {
    const { access } = exchange;
    const outcome: Outcome = { refused: undefined, settled: ADMITTED };
    outcomes.set(exchange, outcome);
    try {
      // A request without a valid key was counted before it was read.
      if (keyed > 0) await access.admitKeyed(keyed);
      else if (cost === 0 && access.recognised()) await access.admitFree();
      if (cost > 0) outcome.settled = (await access.admit(cost)).settled.then(() => undefined, asRefusal);
    } catch (error) {
      outcome.refused = asRefusal(error);
      outcome.settled = Promise.resolve(outcome.refused);
    }
    return outcome;
  };

  const refuse = (exchange: Exchange, error: unknown): Refusal => {
    const refused = asRefusal(error);
    outcomes.set(exchange, { refused, settled: Promise.resolve(refused) });
    return refused;
  };

  return {
    /** Prices an operation, checks it against the limits and admits it. Returns the refusal, if it is refused before it runs. */
    async admit(exchange: Exchange, request: OperationRequest): Promise<Refusal | undefined> {
      const { operationName } = request;
      // Yoga reports a query that is not a string and variables that are not an object; such a request costs one, like any mistake.
      const query = typeof request.query === 'string' ? request.query : '';
      const variables = isRecord(request.variables) ? request.variables : {};
      // Without a valid key, a document longer than any free one is not read: it needs a key, and is refused for lacking one.
      const hasKey = exchange.access.recognised() !== undefined;
      const isRead = hasKey || query.length <= MOST_FREE_CHARACTERS;
      const cost = isRead ? costOf(query, operationName, variables) : 1;
      const keyed = isRead ? keyedFieldsOf(query, operationName) : 0;
      if (cost === 0 && keyed === 0) {
        try {
          if (!(await queue(exchange))) return (await charge(exchange, 0, 0)).refused ?? NOTHING_TO_RUN;
        } catch (error) {
          return refuse(exchange, error);
        }
      }
      const problem = hasKey || cost === 0 ? limit(query, operationName, variables, cost) : undefined;
      // A refused operation does not run, so it costs at most one request, like any mistake.
      const { refused } = await charge(
        exchange,
        problem ? Math.min(cost, 1) : cost,
        problem ? Math.min(keyed, 1) : keyed,
      );
      return refused ?? (problem && asRefusal(problem));
    },
    /** The final refusal of an operation, if there is one, before which nothing may be answered; `undefined` if it was never priced. */
    settled: (exchange: Exchange): Promise<Refusal | undefined> | undefined => outcomes.get(exchange)?.settled,
    /** Charges a request without an operation: it needs a key and costs one request, like any mistake. */
    chargeMistake: async (exchange: Exchange): Promise<Refusal | undefined> => (await charge(exchange, 1, 0)).settled,
  };
}

const asRefusal = (error: unknown): Refusal => ({ errors: [refusal(error)] });

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
