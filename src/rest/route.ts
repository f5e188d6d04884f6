/** What a row of the REST table holds. */
import type { z } from 'zod';
import type { AccessClass } from '../access/access-class.ts';
import type { Market } from '../catalogue/market.ts';
import type { Document } from '../graphql/document.ts';

/** The values of a request's path and query parameters. */
export type ParameterValues = Record<string, unknown>;

/** The groups that the description of the API is ordered by. */
export const TAGS = {
  Lookup: 'One product by its EAN/GTIN or ASIN, with every shop’s offer.',
  Products: 'Lists, details, offers and price history of products.',
  Catalogue: 'What products are ordered by: categories, brands, merchants.',
  Search: 'Suggestions while somebody types.',
  Articles: 'Guides about kinds of goods.',
  Service: 'What the service says of itself.',
} as const;
export type Tag = keyof typeof TAGS;

export interface Route {
  method: 'GET';
  /** The path, with `{name}` where a value stands. */
  path: string;
  /** The operation's name in the description of the API, in camel case. */
  name: string;
  tag: Tag;
  /** A few words. */
  summary: string;
  /** Full sentences: what it gives, and what is worth knowing of it. */
  description: string;
  /**
   * What the route is good for as a tool of agents, and what to call after it: sentences that one reads who chooses among tools.
   * A route without it is no tool.
   */
  tool?: string;
  /** A metered route costs one request. */
  access: Extract<AccessClass, 'limited' | 'metered'>;
  /** Whether the answer stays as it is until the catalogue changes, whoever asks and when: then it may be kept. */
  isKept?: boolean;
  /** Path and query parameters. Those that are not named here are ignored. */
  parameters: z.ZodObject;
  /** Values of the parameters that give an answer on the demo catalogue. */
  example: Readonly<Record<string, string | number>>;
  /** Where the answer comes from. */
  source: GraphqlSource | DocumentSource;
}

/** The name that a route has as a tool: the operation's, in snake case as tools' names are. */
export function toolNameOf({ name }: Route): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** An answer that a GraphQL document gives: its root field, aliased `data`, is the answer's `data`. */
export interface GraphqlSource {
  /**
   * The document. Its aliases give the members their names; a name that begins with `_` is for this service alone and
   * is left out of the body.
   */
  document: string;
  /**
   * How the root field becomes the answer: as it is; as a page, when it is a connection with `nodes` and `pageInfo`; or by one
   * of its members.
   */
  shape: 'whole' | 'page' | { member: string };
  /** The document's variables; the parameters as they are by default. */
  variables?: (values: ParameterValues) => ParameterValues;
  /** Members that stay in the body when they are null; all others are left out then (decisions §1). */
  nullable?: readonly string[];
  /** A member that holds more of what it stands in, for the description of the API and for tables. */
  recursive?: string;
  /**
   * For a table of what is no list itself: the member whose items are the rows, and members beside it that each row repeats.
   * Lists are tables without it.
   */
  table?: { rows: string; beside: readonly string[] };
  /** Why `data` is null, in a sentence for the client; a route without it always has an answer. */
  explainNothing?: (values: ParameterValues) => string;
  /** Links to what a client may want next (RFC 8288): relation and path. */
  links?: (data: Record<string, unknown>) => Record<string, string>;
  /** What the answer can also be, for clients whose `Accept` likes it better than JSON. */
  forms?: readonly OtherForm[];
}

/** An answer in another form than JSON. */
export interface OtherForm<Data = Record<string, unknown>> {
  mediaType: string;
  /** What it is, in a sentence for the description of the API. */
  description: string;
  /** Writes the root field's value down, with the members that are for this service alone. */
  write: (data: Data, values: ParameterValues) => string | Promise<string>;
  headers?: Readonly<Record<string, string>>;
}

/** An answer that says something of the service itself. */
export interface DocumentSource {
  /** A value that is written as JSON, or a text. */
  body: (market: Market, routes: readonly Route[]) => unknown;
  mediaType: 'application/json' | 'text/plain; charset=utf-8';
  /** The JSON Schema of the body, for the description of the API. */
  schema: Record<string, unknown>;
}

/** The same with the types of one document. */
interface TypedSource<Result extends { data?: unknown }, Variables>
  extends Omit<GraphqlSource, 'document' | 'links' | 'forms'> {
  document: Document<Result, Variables>;
  forms?: readonly OtherForm<NonNullable<Result['data']>>[];
  links?: (data: NonNullable<Result['data']>) => Record<string, string>;
}

/** Checks a row's functions against the types of its document. */
export function fromGraphql<Result extends { data?: unknown }, Variables>(
  source: TypedSource<Result, Variables>,
): GraphqlSource {
  return source as GraphqlSource;
}
