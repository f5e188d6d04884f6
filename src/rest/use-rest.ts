/** The REST face: finds the row, lets access settle the price beside the work, and writes the answer down. */
import { GraphQLError, parse } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Plugin } from 'graphql-yoga';
import { accessOf } from '../access/plugin.ts';
import type { Context } from '../catalogue/builder.ts';
import type { Market } from '../catalogue/market.ts';
import { schema } from '../graphql/schema.ts';
import { originalOf } from '../operations/faults.ts';
import { Problem } from '../problem.ts';
import { asBody } from './body.ts';
import { etagOf, isNotModified } from './etag.ts';
import { parseParameters } from './parameters.ts';
import type { GraphqlSource, ParameterValues, Route } from './route.ts';
import { makeRouter } from './router.ts';
import { ROUTES } from './routes.ts';

const METHODS = 'GET, HEAD, OPTIONS';
const LONGEST_URL = 8_192;

/** What a source gives: the body, a text when it is not JSON, and the links that go with it. */
interface Answer {
  body: unknown;
  mediaType: string;
  links: Record<string, string>;
}

/** What a document of the shape `page` selects of a connection. */
interface ConnectionAnswer {
  nodes: unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount?: number;
  totalIsExact?: boolean;
}

type AnswerSource = (values: ParameterValues, context: Context) => Promise<Answer>;

/**
 * Answers every path but those in `others`, which plugins and Yoga behind this one answer.
 *
 * @param others paths that are not this face's, with the methods that they take.
 */
export function useRest(context: Omit<Context, 'access'>, others: ReadonlyMap<string, string>): Plugin {
  const findRoute = makeRouter(ROUTES);
  const sources = new Map(ROUTES.map((route) => [route, prepare(route, context.market)]));

  return {
    async onRequest({ request, url, endResponse }) {
      if (request.url.length > LONGEST_URL) {
        throw new Problem('uri_too_long', `The URL is longer than ${LONGEST_URL} characters: send a shorter one.`);
      }
      const allowed = others.get(url.pathname);
      if (allowed?.split(', ').includes(request.method)) return;
      const access = accessOf(request);
      const match = allowed === undefined ? findRoute(url.pathname === '/' ? '/api/v1' : url.pathname) : undefined;
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (!match || !isRead) {
        await access.recognise(); // The headers tell a known client what is left, here too.
        if (!match && allowed === undefined) throw noSuchRoute(url.pathname);
        throw methodNotAllowed(request.method, allowed ?? METHODS);
      }

      const { route, path } = match;
      const source = sources.get(route);
      if (!source) throw new Error(`The route ${route.path} has no source.`);
      // Quota goes before parameters (decisions §4): what is wrong with them is told once the request is settled.
      const admission = route.access === 'key' ? await access.admit(1) : undefined;
      const working = (async () =>
        source(parseParameters(route.parameters, path, url.searchParams), { ...context, access }))();
      working.catch(() => {}); // Awaited below, unless the quota refuses first.
      await admission?.settled;
      endResponse(respond(request, url, route, await working));
    },
  };
}

function prepare(route: Route, market: Market): AnswerSource {
  const { source } = route;
  if ('body' in source) {
    return async () => ({ body: source.body(market, ROUTES), mediaType: source.mediaType, links: {} });
  }
  const query = compile(route.path, source);
  const { variables = (values) => values, explainNothing, links, nullable } = source;
  return async (values, context) => {
    const { data, errors } = await query({}, context, variables(values));
    if (errors?.[0]) throw asParameterProblem(errors[0]);
    const answer = (data as { data: Record<string, unknown> | null }).data;
    if (answer === null) throw new Problem('not_found', explainNothing?.(values) ?? 'There is no such thing.');
    return {
      body: asBody(shapeAnswer(source, answer, values), nullable),
      mediaType: 'application/json',
      links: links?.(answer) ?? {},
    };
  };
}

/** The root field's value as the body has it. */
function shapeAnswer({ shape }: GraphqlSource, answer: Record<string, unknown>, { limit }: ParameterValues): unknown {
  if (shape === 'whole') return { data: answer };
  if (shape !== 'page') return { data: answer[shape.member] };
  const { nodes, pageInfo, totalCount, totalIsExact } = answer as unknown as ConnectionAnswer;
  return {
    data: nodes,
    page: {
      limit,
      nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      ...(totalCount !== undefined && { total: totalCount }),
      ...(totalIsExact === false && { totalIsExact }),
    },
  };
}

/** GraphQL's arguments have other names where its field does: the client is told the one that it has sent. */
const PARAMETERS_OF_ARGUMENTS: Readonly<Record<string, string>> = { after: 'cursor', first: 'limit', query: 'q' };

function asParameterProblem(error: unknown): unknown {
  const problem = originalOf(error);
  const parameter = problem instanceof Problem ? PARAMETERS_OF_ARGUMENTS[problem.parameter ?? ''] : undefined;
  if (!(problem instanceof Problem) || parameter === undefined) return error;
  const { code, message, allowed, headers } = problem;
  return new Problem(code, message, { parameter, headers, ...(allowed && { allowed }), cause: error });
}

function compile(path: string, source: GraphqlSource): CompiledQuery['query'] {
  const compiled = compileQuery(schema(), parse(source.document));
  if (!isCompiledQuery(compiled)) {
    throw new GraphQLError(`The document of ${path} does not compile: ${compiled.errors?.[0]?.message}`);
  }
  return compiled.query;
}

function respond(request: Request, url: URL, route: Route, { body, mediaType, links }: Answer): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const etag = etagOf(text);
  const isPublic = route.access === 'public';
  const headers: Record<string, string> = {
    'Content-Type': mediaType,
    'Cache-Control': isPublic ? 'public, max-age=3600' : 'private, max-age=30',
    ETag: etag,
    // What differs by key must not be handed to another key; `/` differs by what the client accepts.
    Vary: isPublic ? 'Accept' : 'x-api-key',
  };
  const relations = Object.entries({ ...links, ...nextPage(url, body) }).map(
    ([relation, path]) => `<${path}>; rel="${relation}"`,
  );
  if (relations.length > 0) headers.Link = relations.join(', ');
  if (isNotModified(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  headers['Content-Length'] = String(Buffer.byteLength(text));
  return new Response(request.method === 'HEAD' ? null : text, { headers });
}

function nextPage(url: URL, body: unknown): Record<string, string> {
  const cursor = (body as { page?: { nextCursor?: string } }).page?.nextCursor;
  if (cursor === undefined) return {};
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  return { next: `${url.pathname}?${query}` };
}

function noSuchRoute(pathname: string): Problem {
  return new Problem('not_found', `There is no ${pathname.slice(0, 200)} here: see /api/v1 for what there is.`);
}

function methodNotAllowed(method: string, allowed: string): Problem {
  return new Problem('method_not_allowed', `${method} is not for this address: use ${allowed}.`, {
    headers: { Allow: allowed },
  });
}
