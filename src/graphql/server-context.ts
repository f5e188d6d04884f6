/** What the handler passes through Yoga to the plugins and the context. */
import type { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Exchange } from '../http/exchange.ts';

export interface ServerContext {
  exchange: Exchange;
  /** The reason for refusing the request before reading it, if there is one. */
  refused?: GraphQLError;
}

/** A plugin for Yoga that reads the {@link ServerContext}. */
export type ServerPlugin = Plugin<ServerContext, ServerContext>;
