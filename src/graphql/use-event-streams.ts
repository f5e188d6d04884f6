/** Refuses subscriptions from clients that do not accept event streams: they would wait forever without a response. */
import type { Plugin } from 'graphql-yoga';
import { headerOf } from '../http/exchange.ts';
import { Problem } from '../problem.ts';
import { refusal } from './errors.ts';
import { exchangeOf } from './exchange-of.ts';

const EVENTS = /(^|[,\s])(text\/event-stream|text\/\*|\*\/\*)/i;

export function useEventStreams(): Plugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const accepted = headerOf(exchangeOf(args.contextValue.request), 'accept');
      if (!accepted || EVENTS.test(accepted)) return;
      const detail = 'The response to a subscription is an event stream: send `Accept: text/event-stream`.';
      setResultAndStopExecution({
        errors: [refusal(new Problem('invalid_parameter', detail, { parameter: 'Accept' }))],
      });
    },
  };
}
