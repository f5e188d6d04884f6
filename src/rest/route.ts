/** What a row of the REST table holds. */
import type { z } from 'zod';
import type { Market } from '../catalogue/market.ts';

/** The values of a request's path and query parameters. */
export type ParameterValues = Record<string, unknown>;

export interface Route {
  /** The path, with `{name}` where a value stands. */
  path: string;
  /** One sentence for the descriptions of the API. */
  summary: string;
  /** Whether a key is needed; what is public is not metered. */
  access: 'key' | 'public';
  /** Path and query parameters. Those that are not named here are ignored. */
  parameters: z.ZodObject;
  /** Where the answer comes from. */
  source: GraphqlSource | DocumentSource;
}

/** An answer that a GraphQL document gives: its root field, aliased `data`, is the answer's `data`. */
export interface GraphqlSource {
  /**
   * The document. Its aliases give the members their names; a name that begins with `_` is for this service alone and
   * is left out of the body.
   */
  document: string;
  /** The document's variables; the parameters as they are by default. */
  variables?: (values: ParameterValues) => ParameterValues;
  /** Members that stay in the body when they are null; all others are left out then (decisions §1). */
  nullable?: readonly string[];
  /** Why `data` is null, in a sentence for the client. */
  explainNothing?: (values: ParameterValues) => string;
  /** Links to what a client may want next (RFC 8288): relation and path. */
  links?: (data: Record<string, unknown>) => Record<string, string>;
}

/** An answer that says something of the service itself. */
export interface DocumentSource {
  body: (market: Market, routes: readonly Route[]) => unknown;
}
