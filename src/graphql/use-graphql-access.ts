/** Applies the access checks to what passes through Yoga, and refuses requests that Yoga would answer in its own way. */
import type { GraphQLError } from 'graphql';
import { Problem } from '../problem.ts';
import { refusal } from './errors.ts';
import type { OperationAccess } from './operation-access.ts';
import type { ServerPlugin } from './server-context.ts';

export function useGraphqlAccess(access: OperationAccess): ServerPlugin {
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
    async onParams({ context: { exchange, result: known }, params, setResult }) {
      const result = known ?? (await access.admit(exchange, params));
      if (result) setResult(result);
    },
    async onSubscribe({ args, setResultAndStopExecution }) {
      // Check access before opening the subscription, so that a refused client leaves nothing to close.
      const refused = await access.settled(args.contextValue.exchange);
      if (refused) setResultAndStopExecution(refused);
    },
    async onResultProcess({ serverContext: { exchange, result: known, isFinal }, result: given, setResult }) {
      const result = known ?? given;
      if (known) setResult(known);
      if (isFinal) return;
      // A request without an operation never reaches `onParams`. A refusal takes precedence over any other error of the request.
      const refused = await (access.settled(exchange) ?? access.chargeMistake(exchange));
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

function refuseMediaType(): never {
  const detail = 'Send the operation as `application/json`, such as {"query": "{ plans { id } }"}.';
  throw refusal(new Problem('unsupported_media_type', detail, { parameter: 'Content-Type' }));
}

function batchRefused(): GraphQLError {
  const detail =
    'Batches are not supported: send one operation, as an object. It can select several fields, or many products with `lookups`.';
  return refusal(new Problem('invalid_parameter', detail, { parameter: 'query' }));
}
