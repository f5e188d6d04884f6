/** The REST face: finds the row, and answers it as every face does that answers rows: metered, and kept where it may be. */
import type { Access } from '../access/access.ts';
import { maskSecrets } from '../access/secret.ts';
import type { Context } from '../catalogue/builder.ts';
import type { Market } from '../catalogue/market.ts';
import { compileDocument } from '../graphql/compile.ts';
import { type Handler, headerOf, isRead } from '../http/exchange.ts';
import { endpointOf } from '../operations/endpoint.ts';
import { originalOf } from '../operations/faults.ts';
import { Problem } from '../problem.ts';
import { asBody } from './body.ts';
import { chooseForm, formsOf, type Result } from './forms.ts';
import { type Keeping, openKeeping, respond, type WrittenAnswer } from './kept-answers.ts';
import { methodNotAllowed, READ_METHODS } from './method-not-allowed.ts';
import { parseParameters } from './parameters.ts';
import type { GraphqlSource, ParameterValues, Route } from './route.ts';
import { type Match, makeRouter } from './router.ts';
import { ROUTES } from './routes.ts';
import { writeResult } from './write-result.ts';

/** What a document of the shape `page` selects of a connection. */
interface ConnectionAnswer {
  nodes: unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount?: number;
  totalIsExact?: boolean;
}

type AnswerSource = (values: ParameterValues, context: Context) => Promise<Result>;

/** Answers a row of the table, at the price that it has. */
export interface RouteAnswers {
  /**
   * Admits a request, and gives what the row answers to it.
   *
   * @param pathname the row's path with its values, and `search` what follows it from `?` on: both as in an address.
   * @param accept the `Accept` header, by which the answer's form is chosen; the usual form, which is JSON, without it.
   * @throws {Problem} what the client is told instead.
   */
  answer(match: Match, pathname: string, search: string, access: Access, accept?: string): Promise<WrittenAnswer>;
}

/** Prepares the rows of the table: documents are compiled once, here. */
export function openRoutes(shared: Omit<Context, 'access'>, keeping: Keeping): RouteAnswers {
  const keepWork = openKeeping(keeping);
  const rows = new Map(
    ROUTES.map((route) => [route, { source: prepare(route, shared.market), forms: formsOf(route) }]),
  );

  return {
    async answer({ route, path }, pathname, search, access, accept) {
      const row = rows.get(route);
      if (!row) throw new Error(`The route ${route.path} is not in the table.`);
      const { source, forms } = row;
      const [usual] = forms;
      const form = forms.length === 1 ? usual : chooseForm(forms, accept);
      const target = pathname + search;
      const work = async () => {
        const values = parseParameters(route.parameters, path, new URLSearchParams(search));
        const result = await source(values, { ...shared, access, listsAllOffers: true });
        const text = form.write(result);
        const written = typeof text === 'string' ? text : await text; // A turn less for what is written at once.
        return writeResult(route, target, result, form, written, forms.length > 1);
      };
      if (route.access === 'public') {
        access.admitFree();
        return work();
      }
      // Quota goes before parameters (decisions §4): what is wrong with them is told once the request is settled.
      const { settled } = await access.admit(1);
      // No target holds a blank.
      const working = route.isKept ? keepWork(form === usual ? target : `${target} ${form.mediaType}`, work) : work();
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
  const endpoints = new Map(ROUTES.map((route) => [route, endpointOf('rest', route.path)]));
  const unmatched = endpointOf('rest', 'unmatched');

  return async (exchange) => {
    const { method, pathname, search, access } = exchange;
    const allowed = methodsOf(pathname);
    const match = allowed === READ_METHODS ? findRoute(pathname === '/' ? '/api/v1' : pathname) : undefined;
    exchange.endpoint = (match && endpoints.get(match.route)) ?? unmatched;
    if (!match || !isRead(exchange)) {
      await access.recognise(); // The headers tell a known client what is left, here too.
      if (!match && allowed === READ_METHODS) throw noSuchRoute(pathname);
      throw methodNotAllowed(method, allowed);
    }
    return respond(exchange, await routes.answer(match, pathname, search, access, headerOf(exchange, 'accept')));
  };
}

function prepare(route: Route, market: Market): AnswerSource {
  const { source } = route;
  if ('body' in source) {
    return async (values) => ({ body: source.body(market, ROUTES), answer: {}, values, links: {} });
  }
  const query = compileDocument(source.document);
  const { variables = (values) => values, explainNothing, links, nullable } = source;
  return async (values, context) => {
    const { data, errors } = await query({}, context, variables(values));
    if (errors?.[0]) throw asParameterProblem(errors[0]);
    const answer = (data as { data: Record<string, unknown> | null }).data;
    if (answer === null) throw new Problem('not_found', explainNothing?.(values) ?? 'There is no such thing.');
    return {
      body: asBody(shapeAnswer(source, answer, values), nullable),
      answer,
      values,
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

function noSuchRoute(pathname: string): Problem {
  // In this order: half a key would not be taken for one.
  const shown = maskSecrets(pathname).slice(0, 200);
  return new Problem('not_found', `There is no ${shown} here: see /api/v1 for what there is.`);
}
