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
  Search: 'Typeahead search.',
  Articles: 'Buying guides.',
  Service: 'The service index, the OpenAPI description and the plans.',
} as const;
export type Tag = keyof typeof TAGS;

/** A route. It answers GET and HEAD. */
export interface Route {
  /** The path, with `{name}` for each path parameter. */
  path: string;
  /** The operation's name in the description of the API, in camel case. */
  name: string;
  tag: Tag;
  /** A few words. */
  summary: string;
  /** Full sentences: the result, and anything worth knowing about it. */
  description: string;
  /** Tells agents when to use the route as a tool, and which one to call next. A route without this text is not a tool. */
  tool?: string;
  /** A metered route costs one request. */
  access: Extract<AccessClass, 'limited' | 'metered'>;
  /** Whether the response also depends on the minute, because announced reductions end. A cached one is used for that minute only. */
  changesWithTime?: true;
  /** Path and query parameters. Others are ignored. */
  parameters: z.ZodObject;
  /** Values of the parameters with a result in the demo catalogue. */
  example: Readonly<Record<string, string | number>>;
  /** The source of the response. */
  source: GraphqlSource | DocumentSource;
}

/** The percent-encoded path and query of a request, with parameters in the order of `values`. `search` starts with `?` unless empty. */
export function requestTarget(
  { path }: Route,
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
  /** How the root field becomes the body: `whole` unchanged, `page` from a connection (`nodes`, `pageInfo`), `member` one member of it. */
  shape: 'whole' | 'page' | { member: string };
  /** The document's variables; by default the parameters. */
  variables?: (values: ParameterValues) => ParameterValues;
  /** Members that are kept in the body when they are null; all others are left out. */
  nullable?: readonly string[];
  /** A member that contains more items of the same type, for the description of the API and for tables. */
  recursive?: string;
  /** The CSV layout of a response that is not a list: the member whose items are the rows, and other members that each row repeats. */
  table?: { rows: string; beside: readonly string[] };
  /** Explains to the client why `data` is null. A route without it always has a result. */
  explainNothing?: (values: ParameterValues) => string;
  /** Links to related resources (RFC 8288): relation and path. */
  links?: (data: Record<string, unknown>) => Record<string, string>;
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

/** A {@link GraphqlSource} with the types of one document. */
interface TypedSource<Result extends { data?: unknown }, Variables>
  extends Omit<GraphqlSource, 'document' | 'links' | 'dependsOn' | 'forms'> {
  document: Document<Result, Variables>;
  forms?: readonly OtherForm<NonNullable<Result['data']>>[];
  links?: (data: NonNullable<Result['data']>) => Record<string, string>;
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
