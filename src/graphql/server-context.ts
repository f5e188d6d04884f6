/** What the handler passes through Yoga to the plugins and the context. */
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { EventPlace } from '../catalogue/live-prices/event-place.ts';
import type { Exchange } from '../http/exchange.ts';

export interface ServerContext {
  exchange: Exchange;
  /** Absent if Yoga only has to render a result. */
  events?: EventPlace;
  /** The result, if Yoga only has to render it. */
  result?: ExecutionResult;
  /** Whether the result is a refusal that came before the access check of the operation. */
  isFinal?: boolean;
}

/** A plugin for Yoga that reads the {@link ServerContext}. */
export type ServerPlugin = Plugin<ServerContext, ServerContext>;
