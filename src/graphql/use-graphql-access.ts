/** Applies the same access checks to GraphQL operations as to REST requests, at the price of their root fields. */
import type { GraphQLError } from 'graphql';
import type { Exchange } from '../http/exchange.ts';
import { Problem } from '../problem.ts';
import { costOf } from './cost.ts';
import { refusal } from './errors.ts';
import { type Limits, MOST_FREE_CHARACTERS } from './limits.ts';
import type { ServerPlugin } from './server-context.ts';

type Refusal = { errors: GraphQLError[] };

/** The result of a request's access check. */
interface Outcome {
  refused: Refusal | undefined;
  /** The final result: the quota is settled while the operation runs. */
  settled: Promise<Refusal | undefined>;
}

/** @param refuse returns the reason for refusing an operation before it runs, if there is one. */
export function useGraphqlAccess(refuse: Limits): ServerPlugin {
  /** The requests that have been priced. */
  const outcomes = new WeakMap<Exchange, Outcome>();

  const charge = async (exchange: Exchange, cost: number): Promise<Outcome> => {
    const { access } = exchange;
    const outcome: Outcome = { refused: undefined, settled: Promise.resolve(undefined) };
    outcomes.set(exchange, outcome);
    try {
      // A request without a valid key was counted before it was read.
      if (cost === 0 && access.recognised()) await access.admitFree();
      if (cost > 0) outcome.settled = (await access.admit(cost)).settled.then(() => undefined, asRefusal);
    } catch (error) {
      outcome.refused = asRefusal(error);
      outcome.settled = Promise.resolve(outcome.refused);
    }
    return outcome;
  };

  return {
    onRequestParse({ setRequestParser, requestParser }) {
      // Without a parser, Yoga returns 415 before any of our checks. This parser reports the same as an ordinary error.
      setRequestParser(requestParser ? withReadableParameters(requestParser) : refuseMediaType);
      return {
        onRequestParseDone({ requestParserResult }) {
          // Each operation of a batch would need its own access check, price and limits.
          if (Array.isArray(requestParserResult)) throw batchRefused();
        },
      };
    },
    async onParams({ context: { exchange, refused: before }, params, setResult }) {
      if (before) return setResult({ errors: [before] });
      const { operationName } = params;
      // Yoga reports a query that is not a string and variables that are not an object; such a request costs one, like any mistake.
      const query = typeof params.query === 'string' ? params.query : '';
      const variables = isRecord(params.variables) ? params.variables : {};
      // Without a valid key, a document longer than any free one is not read: it needs a key, and is refused for lacking one.
      const hasKey = exchange.access.recognised() !== undefined;
      const isRead = hasKey || query.length <= MOST_FREE_CHARACTERS;
      const cost = isRead ? costOf(query, operationName, variables) : 1;
      const problem = hasKey || cost === 0 ? refuse(query, operationName, variables, cost) : undefined;
      // A refused operation does not run, so it costs at most one request, like any mistake.
      const { refused } = await charge(exchange, problem ? Math.min(cost, 1) : cost);
      if (refused) setResult(refused);
      else if (problem) setResult(asRefusal(problem));
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      // Check access before opening the subscription, so that a refused client leaves nothing to close.
      const refused = await outcomes.get(args.contextValue.exchange)?.settled;
      if (refused) setResultAndStopExecution(refused);
    },
    async onResultProcess({ serverContext: { exchange, refused: before }, result, setResult }) {
      if (before) return setResult({ errors: [before] });
      // A request without an operation never reaches `onParams`: it needs a key and costs one request, like any mistake.
      // A refusal takes precedence over any other error of the request.
      const refused = await (outcomes.get(exchange) ?? (await charge(exchange, 1))).settled;
      if (refused) return setResult(refused);
      // A response with a status of 5xx is refunded, so it delivers nothing (GraphQL over HTTP: data requires a status of 2xx).
      const errors = 'errors' in result ? (result.errors ?? []) : [];
      if (errors.some(({ extensions }) => Number(extensions.http?.status) >= 500)) setResult({ errors, data: null });
    },
  };
}

type RequestParser = Parameters<Parameters<NonNullable<ServerPlugin['onRequestParse']>>[0]['setRequestParser']>[0];

/** Refuses a URL or a form whose `variables` or `extensions` are not JSON: Yoga's parser passes on the error of `JSON.parse`. */
function withReadableParameters(parse: RequestParser): RequestParser {
  return async (request) => {
    try {
      return await parse(request);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const detail = '`variables` and `extensions` must be JSON objects: encode them as JSON, or leave them out.';
      throw refusal(new Problem('invalid_parameter', detail, { parameter: 'variables' }));
    }
  };
}

const asRefusal = (error: unknown): Refusal => ({ errors: [refusal(error)] });

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
