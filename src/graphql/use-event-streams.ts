/** Refuses subscriptions from clients that do not accept event streams: they would wait forever without a response. */
import { headerOf } from '../http/exchange.ts';
import { Problem } from '../problem.ts';
import { refusal } from './errors.ts';
import type { ServerPlugin } from './server-context.ts';

const EVENTS = /(^|[,\s])(text\/event-stream|text\/\*|\*\/\*)/i;

export function useEventStreams(): ServerPlugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const accepted = headerOf(args.contextValue.exchange, 'accept');
      if (!accepted || EVENTS.test(accepted)) return;
      const detail = 'The response to a subscription is an event stream: send `Accept: text/event-stream`.';
      const problem = new Problem('invalid_parameter', detail, { parameter: 'Accept' });
      setResultAndStopExecution({ errors: [refusal(problem)] });
    },
  };
}
