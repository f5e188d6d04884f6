/** Passes each GraphQL operation through the access that REST requests pass through, at the price of its root fields. */
import type { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { Problem } from '../problem.ts';
import { costOf } from './cost.ts';
import { refusal } from './errors.ts';
import { exchangeOf, noteExchange, type ServerContext } from './exchange-of.ts';
import { type Limits, MOST_FREE_CHARACTERS } from './limits.ts';

type Refusal = { errors: GraphQLError[] };

/** How a request fared at the gate. */
interface Outcome {
  refused: Refusal | undefined;
  /** The quota, which is settled beside the work. */
  settled: Promise<void>;
}

/** @param refuse tells why an operation is refused before it is worked on, if it is. */
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

  /** How it ended, once nothing is open any more. */
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
      // Without a parser Yoga answers 415 at once, past all checks: this one says the same as an error like any other.
      if (!requestParser) setRequestParser(refuseMediaType);
      return {
        onRequestParseDone({ requestParserResult }) {
          // Each of a batch would have to be let pass, counted and limited by itself.
          if (Array.isArray(requestParserResult)) throw batchRefused();
        },
      };
    },
    async onParams({ request, params, setResult }) {
      const before = outcomes.get(request)?.refused;
      if (before) return setResult(before);
      const { operationName } = params;
      // Yoga says what is wrong with what is no text and no object; it costs what a mistake costs.
      const query = typeof params.query === 'string' ? params.query : '';
      const variables = isRecord(params.variables) ? params.variables : {};
      // Without a valid key no more is read than a free document needs. A longer one needs a key: it is refused for the lack of it.
      const hasKey = exchangeOf(request).access.recognised() !== undefined;
      const isRead = hasKey || query.length <= MOST_FREE_CHARACTERS;
      const cost = isRead ? costOf(query, operationName, variables) : 1;
      const problem = hasKey || cost === 0 ? refuse(query, operationName, variables, cost) : undefined;
      // What is refused is not worked on: it costs what one mistake costs.
      const { refused } = await charge(request, problem ? Math.min(cost, 1) : cost);
      if (refused) setResult(refused);
      else if (problem) setResult({ errors: [refusal(problem)] });
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      // Nothing is opened for who is then refused: it would have to be found and closed again.
      const outcome = outcomes.get(args.contextValue.request);
      const refused = outcome && (await settle(outcome));
      if (refused) setResultAndStopExecution(refused);
    },
    async onResultProcess({ request, setResult }) {
      // What holds no operation never comes to its parameters: it needs a key and costs one request like any mistake. And
      // what was refused stays so, whatever else was found wrong with it.
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
    'Send one operation at a time, as an object: several fields, or `lookups`, ask for many things in one operation.';
  return refusal(new Problem('invalid_parameter', detail, { parameter: 'query' }));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
