/** Passes each GraphQL operation through the access that REST requests pass through, at the price of its root fields. */
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { costOf } from './cost.ts';
import { refusal } from './errors.ts';
import { exchangeOf, noteExchange, type ServerContext } from './exchange-of.ts';

type Refusal = { errors: GraphQLError[] };

export function useGraphqlAccess(): Plugin<object, ServerContext> {
  /** The requests that have been priced, and how those ended that were refused. */
  const outcomes = new WeakMap<Request, { refused: Refusal | undefined }>();

  const charge = async (request: Request, cost: number): Promise<Refusal | undefined> => {
    const outcome: { refused: Refusal | undefined } = { refused: undefined };
    outcomes.set(request, outcome);
    if (cost === 0) return undefined;
    try {
      const { settled } = await exchangeOf(request).access.admit(cost);
      await settled;
    } catch (error) {
      outcome.refused = { errors: [refusal(error)] };
    }
    return outcome.refused;
  };

  return {
    onRequest: ({ request, serverContext }) => noteExchange(request, serverContext.exchange),
    onRequestParse({ setRequestParser, requestParser }) {
      // Without a parser Yoga answers 415 at once, past all checks: this one says the same as an error like any other.
      if (!requestParser) setRequestParser(refuseMediaType);
    },
    async onParams({ request, params, setResult }) {
      const refused = await charge(request, costOf(params.query ?? '', params.operationName, params.variables ?? {}));
      if (refused) setResult(refused);
    },
    async onResultProcess({ request, setResult }) {
      // What holds no operation never comes to its parameters: it needs a key and costs one request like any mistake. And
      // what was refused stays so, whatever else was found wrong with it.
      const outcome = outcomes.get(request);
      const refused = outcome ? outcome.refused : await charge(request, 1);
      if (refused) setResult(refused);
    },
  };
}

function refuseMediaType(): never {
  throw new GraphQLError('Send the operation as `application/json`, such as {"query": "{ plans { id } }"}.', {
    extensions: { http: { status: 415 } },
  });
}
