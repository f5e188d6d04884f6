/** Serves the REST routes, from documents that are compiled once or from the response cache. */
import type { Context } from '../catalogue/builder.ts';
import type { Market } from '../catalogue/market.ts';
import { compileDocument } from '../graphql/compile.ts';
import { type Exchange, headerOf } from '../http/exchange.ts';
import type { ServerRoute } from '../http/route-table.ts';
import type { PathValues } from '../http/router.ts';
import { endpointOf } from '../operations/endpoint.ts';
import { originalOf } from '../operations/faults.ts';
import { Problem } from '../problem.ts';
import { asBody } from './body.ts';
import { chooseForm, formsOf, type Result } from './forms.ts';
import { type Keeping, openKeeping, respond, type WrittenAnswer } from './kept-answers.ts';
import { parseParameters } from './parameters.ts';
import type { GraphqlSource, ParameterValues, Route } from './route.ts';
import { ROUTES } from './routes.ts';
import { writeResult } from './write-result.ts';

/** The selection of a connection in documents of the shape `page`. */
interface ConnectionAnswer {
  nodes: unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount?: number;
  totalIsExact?: boolean;
}

type AnswerSource = (values: ParameterValues, context: Context) => Promise<Result>;

/** A request to a route: its URL, and its access, which was granted. */
export type Asked = Pick<Exchange, 'pathname' | 'search' | 'access'>;

/** Answers requests to the routes. */
export interface RouteAnswers {
  /**
   * The response to an admitted request.
   *
   * @param values the path parameters.
   * @param accept the `Accept` header, which chooses the form of the response; JSON without it.
   * @throws {Problem} for the client.
   */
  answer(route: Route, values: PathValues, asked: Asked, accept?: string): Promise<WrittenAnswer>;
}

/** Prepares the routes. This compiles their documents, once. */
export function openRoutes(shared: Omit<Context, 'access'>, keeping: Keeping): RouteAnswers {
  const keepWork = openKeeping(keeping);
  const rows = new Map(
    ROUTES.map((route) => [route, { source: prepare(route, shared.market), forms: formsOf(route) }]),
  );

  return {
    answer(route, path, { pathname, search, access }, accept) {
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
        const written = typeof text === 'string' ? text : await text; // Saves a microtask if the form is synchronous.
        return writeResult(route, target, result, form, written, forms.length > 1);
      };
      // The separator cannot be part of a target, because targets contain no spaces.
      return route.isKept ? keepWork(form === usual ? target : `${target} ${form.mediaType}`, work) : work();
    },
  };
}

/** The entries of the server's route table for {@link ROUTES}. */
export function restRoutes(answers: RouteAnswers): ServerRoute[] {
  return ROUTES.map((route) => restRoute(route, answers));
}

function restRoute(route: Route, answers: RouteAnswers): ServerRoute {
  const row = {
    path: route.path,
    endpoint: endpointOf('rest', route.path),
    handle: async (exchange: Exchange, values: PathValues) =>
      respond(exchange, await answers.answer(route, values, exchange, headerOf(exchange, 'accept'))),
  };
  return route.access === 'metered'
    ? { ...row, access: 'metered', price: 'one request' }
    : { ...row, access: route.access };
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
    if (answer === null)
      throw new Problem('not_found', explainNothing?.(values) ?? 'The requested resource does not exist.');
    return {
      body: asBody(shapeAnswer(source, answer, values), nullable),
      answer,
      values,
      links: links?.(answer) ?? {},
    };
  };
}

/** The root field's value in the shape of the body. */
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

/** The parameters whose GraphQL arguments have other names: errors name the parameter that the client sent. */
const PARAMETERS_OF_ARGUMENTS: Readonly<Record<string, string>> = { after: 'cursor', first: 'limit', query: 'q' };

function asParameterProblem(error: unknown): unknown {
  const problem = originalOf(error);
  const parameter = problem instanceof Problem ? PARAMETERS_OF_ARGUMENTS[problem.parameter ?? ''] : undefined;
  if (!(problem instanceof Problem) || parameter === undefined) return error;
  const { code, message, allowed, headers } = problem;
  return new Problem(code, message, { parameter, headers, ...(allowed && { allowed }), cause: error });
}
