/** The declaration of a REST route. */
import type { z } from 'zod';
import type { AccessClass } from '../access/access-class.ts';
import type { Context } from '../catalogue/builder.ts';
import type { Market } from '../catalogue/market.ts';
import type { Tag as CatalogueTag } from '../catalogue/tags.ts';
import type { Document } from '../graphql/document.ts';
import type { Soon } from '../soon.ts';

/** The values of a request's path and query parameters. */
export type ParameterValues = Record<string, unknown>;

/** The groups of routes in the description of the API. */
export const TAGS = {
  Lookup: 'One product by its EAN/GTIN or ASIN, with every shop’s offer.',
  Products: 'Lists, details, offers and price history of products.',
  Catalogue: 'Categories, brands and merchants.',
  Analysis: 'Price indices, and the comparison of shops.',
  Changes: 'What changed, in the order of the changes, to keep a copy in step.',
  Search: 'Typeahead search.',
  Articles: 'Buying guides.',
  Account: 'The usage and the rotation of your key. Free.',
  Webhooks: 'Messages to your server when something changes. Free.',
  Service: 'The service index, the OpenAPI description and the plans.',
} as const;
export type Tag = keyof typeof TAGS;

/** The methods of routes. A route for GET also answers HEAD. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A route: one method of a path. */
export interface Route {
  /** The path, with `{name}` for each path parameter. */
  path: string;
  /** GET by default. */
  method?: Method;
  /** The status of a success; 200 by default. A response with 204 has no body. */
  status?: 200 | 201 | 202 | 204;
  /** The operation's name in the description of the API, in camel case. */
  name: string;
  tag: Tag;
  /** A few words. */
  summary: string;
  /** Full sentences: the result, and anything worth knowing about it. */
  description: string;
  /** Tells agents when to use the route as a tool, and which one to call next. A route without this text is not a tool. */
  tool?: string;
  /** A metered route costs one request, or more where `price` says so. */
  access: Extract<AccessClass, 'limited' | 'keyed' | 'metered'>;
  /** What the route costs, as a sentence; by default that of its access class. */
  price?: string;
  /** Whether the response also depends on the minute, because announced reductions end. A cached one is used for that minute only. */
  changesWithTime?: true;
  /** Whether the response never changes while the process runs, whatever parameters the request has: it is made once. */
  isFixed?: true;
  /** Path and query parameters. Others are ignored. */
  parameters: z.ZodObject;
  /** The JSON body of a request; others are refused. The values have it as `body`. */
  body?: z.ZodObject;
  /** The requests that a metered route with a body costs; one by default. A refused body costs one. */
  requestsOf?: (body: Readonly<Record<string, unknown>>) => number;
  /** An example of that body. */
  exampleBody?: Readonly<Record<string, unknown>>;
  /** Values of the parameters with a result in the demo catalogue. */
  example: Readonly<Record<string, string | number>>;
  /** Whether the request may wait for changes (`wait`, in seconds) if the page would be empty. */
  waits?: true;
  /** How the arguments of the route as a tool differ from its parameters: those left out, those that may be lists, and other defaults. */
  asTool?: { without: readonly string[]; lists: readonly string[]; defaults: Readonly<Record<string, string>> };
  /** The source of the response. */
  source: GraphqlSource | DocumentSource;
}

/** A route as the description of the API has it, which also describes streams. */
export interface DescribedRoute extends Omit<Route, 'source'> {
  source: Route['source'] | StreamSource;
}

/** The percent-encoded path and query of a request, with parameters in the order of `values`. `search` starts with `?` unless empty. */
export function requestTarget(
  { path }: Pick<Route, 'path'>,
  values: Readonly<Record<string, string | number>>,
): { pathname: string; search: string } {
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const query = Object.entries(values)
    .filter(([name]) => !path.includes(`{${name}}`))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return { pathname, search: query.length > 0 ? `?${query.join('&')}` : '' };
}

/** A route's name as a tool: the operation's name in snake case. */
export function toolNameOf({ name }: Route): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A GraphQL document, whose root field, aliased `data`, becomes the `data` of the response. */
export interface GraphqlSource {
  /** The document. Its aliases name the members of the body; one that starts with `_` is internal and left out. */
  document: string;
  /**
   * How the root field becomes the body: `whole` unchanged, `page` from a connection (`nodes`, `pageInfo`), `stream` from a page of a list
   * without an end (`nodes`, `nextCursor`, `hasMore`), or one member of it, as it is or as a page.
   */
  shape: 'whole' | 'page' | 'stream' | { member: string } | { page: string };
  /** The document's variables; by default the parameters. */
  variables?: (values: ParameterValues) => ParameterValues;
  /** Members that are kept in the body when they are null; all others are left out. */
  nullable?: readonly string[];
  /** A member that contains more items of the same type, for the description of the API and for tables. */
  recursive?: string;
  /**
   * The CSV layout: of a response that is not a list, the member whose items are the rows, and other members that each row repeats; of a list,
   * members of its items that do not fit into a row.
   */
  table?: { rows: string; beside: readonly string[] } | { without: readonly string[] };
  /** Explains to the client why `data` is null. A route without it always has a result. */
  explainNothing?: (values: ParameterValues) => string;
  /** Links to related resources (RFC 8288): relation and path. */
  links?: (data: Record<string, unknown>) => Record<string, string>;
  /** The path of what was created, for the header `Location`. */
  locationOf?: (data: Record<string, unknown>) => string;
  /**
   * What the response depends on. Set it if the response is the same for all clients at all times until these parts of the catalogue
   * change: then it is cached until they do. An answer without a result is never cached.
   */
  dependsOn?: (
    data: Record<string, unknown>,
    values: ParameterValues,
    context: Context,
  ) => Soon<readonly CatalogueTag[]>;
  /** Other forms of the response, for clients whose `Accept` prefers them to JSON. */
  forms?: readonly OtherForm[];
}

/** Whether a response is a page of a list. */
export const isPage = ({ shape }: Pick<GraphqlSource, 'shape'>): boolean =>
  shape === 'page' || shape === 'stream' || (typeof shape === 'object' && 'page' in shape);

/** A form of the response other than JSON. */
export interface OtherForm<Data = Record<string, unknown>> {
  mediaType: string;
  /** One sentence for the description of the API. */
  description: string;
  /** Renders the root field's value, including its internal members. */
  write: (data: Data, values: ParameterValues) => string | Promise<string>;
  headers?: Readonly<Record<string, string>>;
}

/** A response about the service itself. */
export interface DocumentSource {
  /** A value to be written as JSON, or a text. */
  body: (market: Market, routes: readonly Route[]) => unknown;
  mediaType: 'application/json' | 'text/plain; charset=utf-8';
  /** The JSON Schema of the body, for the description of the API. */
  schema: Record<string, unknown>;
}

/** A response that is streamed. */
export interface StreamSource {
  mediaType: 'application/x-ndjson';
  /** The JSON Schema of the body, for the description of the API. */
  schema: Record<string, unknown>;
}

/** A {@link GraphqlSource} with the types of one document. */
interface TypedSource<Result extends { data?: unknown }, Variables>
  extends Omit<GraphqlSource, 'document' | 'links' | 'locationOf' | 'dependsOn' | 'forms'> {
  document: Document<Result, Variables>;
  forms?: readonly OtherForm<NonNullable<Result['data']>>[];
  links?: (data: NonNullable<Result['data']>) => Record<string, string>;
  locationOf?: (data: NonNullable<Result['data']>) => string;
  dependsOn?: (
    data: NonNullable<Result['data']>,
    values: ParameterValues,
    context: Context,
  ) => Soon<readonly CatalogueTag[]>;
}

/** Checks a route's functions against the types of its document. */
export function fromGraphql<Result extends { data?: unknown }, Variables>(
  source: TypedSource<Result, Variables>,
): GraphqlSource {
  return source as GraphqlSource;
}
