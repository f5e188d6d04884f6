/** What the handler passes through Yoga to the plugins and the context. */
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Exchange } from '../http/exchange.ts';

export interface ServerContext {
  exchange: Exchange;
  /** The result, if Yoga only has to render it. */
  result?: ExecutionResult;
  /** Whether the result is a refusal that came before the access check of the operation. */
  isFinal?: boolean;
}

/** A plugin for Yoga that reads the {@link ServerContext}. */
export type ServerPlugin = Plugin<ServerContext, ServerContext>;
