/**
 * Writes subscriptions as streams of events whose ids let clients continue, which Yoga's own writer lacks. Refuses subscriptions from clients
 * that do not accept event streams: they would wait forever without a response.
 */
import type { ExecutionResult } from 'graphql';
import { headerOf } from '../http/exchange.ts';
import { Problem } from '../problem.ts';
import { refusal } from './errors.ts';
import { writeEvents } from './event-stream.ts';
import type { ServerPlugin } from './server-context.ts';

const EVENTS = /(^|[,\s])(text\/event-stream|text\/\*|\*\/\*)/i;
const MEDIA_TYPE = 'text/event-stream';

export function useEventStreams(): ServerPlugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const accepted = headerOf(args.contextValue.exchange, 'accept');
      if (!accepted || EVENTS.test(accepted)) return;
      const detail = 'The response to a subscription is an event stream: send `Accept: text/event-stream`.';
      const problem = new Problem('invalid_parameter', detail, { parameter: 'Accept' });
      setResultAndStopExecution({ errors: [refusal(problem)] });
    },
    onResultProcess({ result, serverContext: { events }, setResultProcessor }) {
      if (!isIterable(result)) return; // A refusal.
      const takeId = () => {
        const id = events?.cursor;
        if (events) events.cursor = undefined; // Errors have no place in the stream.
        return id;
      };
      const headers = { 'Content-Type': MEDIA_TYPE };
      setResultProcessor((_result, { Response }) => new Response(writeEvents(result, takeId), { headers }), MEDIA_TYPE);
    },
  };
}

const isIterable = (result: unknown): result is AsyncIterable<ExecutionResult> =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
