/** Opens a subscription only for who can read its answer: a client that takes no events would be told nothing, for ever. */
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
      const detail = 'A subscription is answered as a stream of events: send `Accept: text/event-stream`.';
      setResultAndStopExecution({
        errors: [refusal(new Problem('invalid_parameter', detail, { parameter: 'Accept' }))],
      });
    },
  };
}
