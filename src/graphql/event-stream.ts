/** Writes the results of a subscription as server-sent events (GraphQL over SSE, "distinct connections mode"). */
import { type ExecutionResult, GraphQLError } from 'graphql';

const COMMENT_EVERY_MS = 12_000;

/**
 * A stream of events, each with an id if `takeId` returns one, that starts with a comment and is kept open by others. It reads a result only when
 * the client can take it, and ends the iteration when it is cancelled.
 * @param takeId called after each result.
 */
export function writeEvents(
  results: AsyncIterable<ExecutionResult>,
  takeId: () => string | undefined,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = results[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const comment = encoder.encode(':\n\n');
      // Some browsers deliver a response only once they have received a part of its body.
      controller.enqueue(comment);
      timer = setInterval(() => {
        // Comments would pile up for a client that does not read.
        if (controller.desiredSize) controller.enqueue(comment);
      }, COMMENT_EVERY_MS).unref();
    },
    async pull(controller) {
      try {
        const { value, done } = await iterator.next();
        if (value != null) {
          const id = takeId();
          const head = id === undefined ? '' : `id: ${id}\n`;
          controller.enqueue(
            encoder.encode(`${head}event: next\ndata: ${JSON.stringify(withoutInternals(value))}\n\n`),
          );
        }
        if (!done) return;
        clearInterval(timer);
        controller.enqueue(encoder.encode('event: complete\ndata:\n\n'));
        controller.close();
      } catch (error) {
        clearInterval(timer);
        controller.error(error);
      }
    },
    async cancel() {
      clearInterval(timer);
      await iterator.return?.();
    },
  });
}

/** The result as clients see it: `extensions.http` tells Yoga the status of a response. */
function withoutInternals(result: ExecutionResult): ExecutionResult {
  return result.errors ? { ...result, errors: result.errors.map(withoutStatus) } : result;
}

function withoutStatus(error: GraphQLError): GraphQLError {
  const { http: _http, ...extensions } = error.extensions;
  const { nodes, source, positions, path } = error;
  return new GraphQLError(error.message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions,
  });
}
