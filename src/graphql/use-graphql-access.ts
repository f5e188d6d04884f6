/** Applies the same access checks to GraphQL operations as to REST requests, at the price of their root fields. */
import type { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Problem } from '../problem.ts';
import { costOf } from './cost.ts';
import { refusal } from './errors.ts';
import { exchangeOf, noteExchange, type ServerContext } from './exchange-of.ts';
import { type Limits, MOST_FREE_CHARACTERS } from './limits.ts';

type Refusal = { errors: GraphQLError[] };

/** The result of a request's access check. */
interface Outcome {
  refused: Refusal | undefined;
  /** The quota, which is settled while the operation runs. */
  settled: Promise<void>;
}

/** @param refuse returns the reason for refusing an operation before it runs, if there is one. */
export function useGraphqlAccess(refuse: Limits): Plugin<object, ServerContext> {
  /** The requests that have been priced. */
  const outcomes = new WeakMap<Request, Outcome>();

  const charge = async (request: Request, cost: number): Promise<Outcome> => {
    const outcome: Outcome = { refused: undefined, settled: Promise.resolve() };
    outcomes.set(request, outcome);
    const { access } = exchangeOf(request);
    try {
      // A request without a valid key was counted before it was read.
      if (cost === 0 && access.recognised()) access.admitFree();
      if (cost > 0) outcome.settled = (await access.admit(cost)).settled;
    } catch (error) {
      outcome.refused = { errors: [refusal(error)] };
    }
    return outcome;
  };

  /** The final result, once the quota is settled. */
  const settle = async ({ refused, settled }: Outcome): Promise<Refusal | undefined> =>
    refused ??
    settled.then(
      () => undefined,
      (error: unknown) => ({ errors: [refusal(error)] }),
    );

  return {
    onRequest({ request, serverContext: { exchange, refused } }) {
      noteExchange(request, exchange);
      if (refused) outcomes.set(request, { refused: { errors: [refused] }, settled: Promise.resolve() });
    },
    onRequestParse({ setRequestParser, requestParser }) {
      // Without a parser, Yoga returns 415 before any of our checks. This parser reports the same as an ordinary error.
      if (!requestParser) setRequestParser(refuseMediaType);
      return {
        onRequestParseDone({ requestParserResult }) {
          // Each operation of a batch would need its own access check, price and limits.
          if (Array.isArray(requestParserResult)) throw batchRefused();
        },
      };
    },
    async onParams({ request, params, setResult }) {
      const before = outcomes.get(request)?.refused;
      if (before) return setResult(before);
      const { operationName } = params;
      // Yoga reports a query that is not a string and variables that are not an object; such a request costs one, like any mistake.
      const query = typeof params.query === 'string' ? params.query : '';
      const variables = isRecord(params.variables) ? params.variables : {};
      // Without a valid key, a document longer than any free one is not read: it needs a key, and is refused for lacking one.
      const hasKey = exchangeOf(request).access.recognised() !== undefined;
      const isRead = hasKey || query.length <= MOST_FREE_CHARACTERS;
      const cost = isRead ? costOf(query, operationName, variables) : 1;
      const problem = hasKey || cost === 0 ? refuse(query, operationName, variables, cost) : undefined;
      // A refused operation does not run, so it costs at most one request, like any mistake.
      const { refused } = await charge(request, problem ? Math.min(cost, 1) : cost);
      if (refused) setResult(refused);
      else if (problem) setResult({ errors: [refusal(problem)] });
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      // Check access before opening the subscription, so that a refused client leaves nothing to close.
      const outcome = outcomes.get(args.contextValue.request);
      const refused = outcome && (await settle(outcome));
      if (refused) setResultAndStopExecution(refused);
    },
    async onResultProcess({ request, setResult }) {
      // A request without an operation never reaches `onParams`: it needs a key and costs one request, like any mistake.
      // A refusal takes precedence over any other error of the request.
      const refused = await settle(outcomes.get(request) ?? (await charge(request, 1)));
      if (refused) setResult(refused);
    },
  };
}

function refuseMediaType(): never {
  const detail = 'Send the operation as `application/json`, such as {"query": "{ plans { id } }"}.';
  throw refusal(new Problem('unsupported_media_type', detail, { parameter: 'Content-Type' }));
}

function batchRefused(): GraphQLError {
  const detail =
    'Batches are not supported: send one operation, as an object. It can select several fields, or many products with `lookups`.';
  return refusal(new Problem('invalid_parameter', detail, { parameter: 'query' }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
