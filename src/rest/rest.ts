/** The REST face: finds the row, and answers it as every face does that answers rows: metered, and kept where it may be. */
import { GraphQLError, parse } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Access } from '../access/access.ts';
import type { Context } from '../catalogue/builder.ts';
import type { Market } from '../catalogue/market.ts';
import type { CatalogueVersion } from '../catalogue/version.ts';
import { schema } from '../graphql/schema.ts';
import { etagOf, isNotModified } from '../http/etag.ts';
import { type Answer, type Exchange, type Handler, headerOf, isRead } from '../http/exchange.ts';
import { originalOf } from '../operations/faults.ts';
import { Problem } from '../problem.ts';
import { asBody } from './body.ts';
import type { KeptAnswers, WrittenAnswer } from './kept-answers.ts';
import { methodNotAllowed, READ_METHODS } from './method-not-allowed.ts';
import { parseParameters } from './parameters.ts';
import { chooseRepresentation } from './representation.ts';
import { type GraphqlSource, mediaTypesOf, type ParameterValues, type Route } from './route.ts';
import { type Match, makeRouter } from './router.ts';
import { ROUTES } from './routes.ts';

const LONGEST_URL = 8_192;
const JSON_TYPE = 'application/json';

/** What a source gives: the body, a text when it is not JSON, and the links that go with it. */
interface Result {
  body: unknown;
  mediaType: string;
  links: Record<string, string>;
  headers?: Readonly<Record<string, string>>;
}

/** What a document of the shape `page` selects of a connection. */
interface ConnectionAnswer {
  nodes: unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount?: number;
  totalIsExact?: boolean;
}

/** Gives what a route answers, in the form of a media type. */
type AnswerSource = (values: ParameterValues, context: Context, mediaType: string) => Promise<Result>;

/** What is kept between requests. */
export interface Keeping {
  answers: KeptAnswers;
  version: CatalogueVersion;
}

/** Answers a row of the table, at the price that it has. */
export interface RouteAnswers {
  /**
   * Admits a request, and gives what the row answers to it.
   *
   * @param pathname the row's path with its values, and `search` what follows it from `?` on: both as in an address.
   * @param mediaType the form, one of `mediaTypesOf` the row; by default JSON.
   * @throws {Problem} what the client is told instead.
   */
  answer(match: Match, pathname: string, search: string, access: Access, mediaType?: string): Promise<WrittenAnswer>;
}

/** Prepares the rows of the table: documents are compiled once, here. */
export function openRoutes(shared: Omit<Context, 'access'>, { answers, version }: Keeping): RouteAnswers {
  const sources = new Map(ROUTES.map((route) => [route, prepare(route, shared.market)]));

  /** The answer that is kept, or one that is made now and kept if the catalogue's version is known. */
  const keepWork = async (target: string, work: () => Promise<WrittenAnswer>): Promise<WrittenAnswer> => {
    const current = version.known() ?? (await version.look());
    if (current === undefined) return work();
    const kept = answers.find(target, current);
    if (kept) return kept;
    const written = await work();
    answers.keep(target, current, written);
    return written;
  };

  return {
    async answer({ route, path }, pathname, search, access, mediaType = JSON_TYPE) {
      const source = sources.get(route);
      if (!source) throw new Error(`The route ${route.path} has no source.`);
      const target = pathname + search;
      const work = async () => {
        const parameters = new URLSearchParams(search);
        return write(
          route,
          target,
          await source(parseParameters(route.parameters, path, parameters), { ...shared, access }, mediaType),
        );
      };
      if (route.access === 'public') return work();
      // Quota goes before parameters (decisions §4): what is wrong with them is told once the request is settled.
      const { settled } = await access.admit(1);
      const working = route.isKept
        ? keepWork(mediaType === JSON_TYPE ? target : `${mediaType} ${target}`, work)
        : work();
      working.catch(() => {}); // Awaited below, unless the quota refuses first.
      await settled;
      return await working;
    },
  };
}

/**
 * Answers every path, but for those of the other faces that came with a method which these do not take: it refuses them.
 *
 * @param methodsOf the methods that a path takes, as `Allow` lists them.
 */
export function serveRest(routes: RouteAnswers, methodsOf: (pathname: string) => string): Handler {
  const findRoute = makeRouter(ROUTES);

  return async (exchange) => {
    const { method, pathname, search, access } = exchange;
    if (pathname.length + search.length > LONGEST_URL) {
      throw new Problem('uri_too_long', `The URL is longer than ${LONGEST_URL} characters: send a shorter one.`);
    }
    const allowed = methodsOf(pathname);
    const match = allowed === READ_METHODS ? findRoute(pathname === '/' ? '/api/v1' : pathname) : undefined;
    if (!match || !isRead(exchange)) {
      await access.recognise(); // The headers tell a known client what is left, here too.
      if (!match && allowed === READ_METHODS) throw noSuchRoute(pathname);
      throw methodNotAllowed(method, allowed);
    }
    const { source } = match.route;
    const mediaType =
      'forms' in source ? chooseRepresentation(headerOf(exchange, 'accept'), mediaTypesOf(match.route)) : undefined;
    return respond(exchange, await routes.answer(match, pathname, search, access, mediaType));
  };
}

function prepare(route: Route, market: Market): AnswerSource {
  const { source } = route;
  if ('body' in source) {
    return async () => ({ body: source.body(market, ROUTES), mediaType: source.mediaType, links: {} });
  }
  const query = compile(route.path, source);
  const { variables = (values) => values, explainNothing, links, nullable } = source;
  const forms = new Map(source.forms?.map((form) => [form.mediaType, form]));
  return async (values, context, mediaType) => {
    const { data, errors } = await query({}, context, variables(values));
    if (errors?.[0]) throw asParameterProblem(errors[0]);
    const answer = (data as { data: Record<string, unknown> | null }).data;
    if (answer === null) throw new Problem('not_found', explainNothing?.(values) ?? 'There is no such thing.');
    const linked = links?.(answer) ?? {};
    const form = forms.get(mediaType);
    if (form) {
      const { write: writeForm, headers = {} } = form;
      return { body: await writeForm(answer, values), mediaType, links: linked, headers };
    }
    return { body: asBody(shapeAnswer(source, answer, values), nullable), mediaType: JSON_TYPE, links: linked };
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

function write(route: Route, target: string, { body, mediaType, links, headers: more }: Result): WrittenAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const etag = etagOf(text);
  const isPublic = route.access === 'public';
  const relations = Object.entries({ ...links, ...nextPage(target, body) }).map(
    ([relation, path]) => `<${path}>; rel="${relation}"`,
  );
  const headers: Record<string, string> = {
    'Content-Type': mediaType,
    'Cache-Control': isPublic ? 'public, max-age=3600' : 'private, max-age=30',
    ETag: etag,
    // What differs by key must not be handed to another key; `/` differs by what the client accepts.
    Vary: isPublic ? 'Accept' : 'forms' in route.source ? 'x-api-key, Accept' : 'x-api-key',
    ...more,
  };
  if (relations.length > 0) headers.Link = relations.join(', ');
  return { body: text, bytes: Buffer.byteLength(text), etag, headers, links, compressed: new Map() };
}

function respond(exchange: Exchange, { body, bytes, etag, headers, compressed }: WrittenAnswer): Answer {
  if (isNotModified(headerOf(exchange, 'if-none-match'), etag)) {
    return { status: 304, headers: { ...headers }, body: null };
  }
  return { status: 200, headers: { ...headers, 'Content-Length': String(bytes) }, body, compressed };
}

function nextPage(target: string, body: unknown): Record<string, string> {
  const cursor = (body as { page?: { nextCursor?: string } }).page?.nextCursor;
  if (cursor === undefined) return {};
  const [pathname = '', search] = target.split('?', 2);
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return { next: `${pathname}?${query}` };
}

function noSuchRoute(pathname: string): Problem {
  return new Problem('not_found', `There is no ${pathname.slice(0, 200)} here: see /api/v1 for what there is.`);
}
