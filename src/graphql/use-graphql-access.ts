/** Passes each GraphQL operation through the access that REST requests pass through, at the price of its root fields. */
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { costOf } from './cost.ts';
import { refusal } from './errors.ts';
import { exchangeOf, noteExchange, type ServerContext } from './exchange-of.ts';

type Refusal = { errors: GraphQLError[] };

/** How a request fared at the gate. */
interface Outcome {
  refused: Refusal | undefined;
  /** The quota, which is settled beside the work. */
  settled: Promise<void>;
}

export function useGraphqlAccess(): Plugin<object, ServerContext> {
  /** The requests that have been priced. */
  const outcomes = new WeakMap<Request, Outcome>();

  const charge = async (request: Request, cost: number): Promise<Outcome> => {
    const outcome: Outcome = { refused: undefined, settled: Promise.resolve() };
    outcomes.set(request, outcome);
    if (cost === 0) return outcome;
    try {
      outcome.settled = (await exchangeOf(request).access.admit(cost)).settled;
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
    onRequest: ({ request, serverContext }) => noteExchange(request, serverContext.exchange),
    onRequestParse({ setRequestParser, requestParser }) {
      // Without a parser Yoga answers 415 at once, past all checks: this one says the same as an error like any other.
      if (!requestParser) setRequestParser(refuseMediaType);
    },
    async onParams({ request, params, setResult }) {
      const cost = costOf(params.query ?? '', params.operationName, params.variables ?? {});
      const { refused } = await charge(request, cost);
      if (refused) setResult(refused);
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
  throw new GraphQLError('Send the operation as `application/json`, such as {"query": "{ plans { id } }"}.', {
    extensions: { http: { status: 415 } },
  });
}
