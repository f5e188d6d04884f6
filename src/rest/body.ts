/** Makes the body of a response: runs the route's document, and gives its result the route's shape. */
import type { Context } from '../catalogue/builder.ts';
import type { Market } from '../catalogue/market.ts';
import { compileDocument } from '../graphql/compile.ts';
import { originalOf } from '../operations/faults.ts';
import { Problem } from '../problem.ts';
import type { Result } from './forms.ts';
import type { GraphqlSource, ParameterValues, Route } from './route.ts';
import { ROUTES } from './routes.ts';

/** Compiles the source of a route. The returned function throws a {@link Problem} for the client. */
export function openSource(
  { source }: Route,
  market: Market,
): (values: ParameterValues, context: Context) => Promise<Result> {
  if ('body' in source) {
    return async (values) => ({ body: source.body(market, ROUTES), answer: {}, values, links: {} });
  }
  const query = compileDocument(source.document);
  const { variables = (values) => values, explainNothing, links, locationOf, nullable } = source;
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
      ...(locationOf && { location: locationOf(answer) }),
    };
  };
}

/** The selection of a connection in documents of the shape `page`. */
interface ConnectionAnswer {
  nodes: unknown[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount?: number;
  totalIsExact?: boolean;
}

/** The root field's value in the shape of the body. */
function shapeAnswer({ shape }: GraphqlSource, answer: Record<string, unknown>, { limit }: ParameterValues): unknown {
  if (shape === 'whole') return { data: answer };
  if (shape === 'stream') {
    const { nodes, nextCursor, hasMore } = answer;
    return { data: nodes, page: { limit, nextCursor, hasMore } };
  }
  if (typeof shape === 'object' && 'member' in shape) return { data: answer[shape.member] };
  const connection = shape === 'page' ? answer : answer[shape.page];
  const { nodes, pageInfo, totalCount, totalIsExact } = connection as ConnectionAnswer;
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

const UNDERSCORE = 95;

/** The value as clients get it: without null, except for the members in `nullable`, and without internal members (`_…`). */
function asBody(value: unknown, nullable: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => asBody(item, nullable));
  if (typeof value !== 'object' || value === null) return value;
  const body: Record<string, unknown> = {};
  for (const name in value) {
    if (name.charCodeAt(0) === UNDERSCORE) continue;
    const member = (value as Record<string, unknown>)[name];
    if (member === null ? nullable.includes(name) : member !== undefined) body[name] = asBody(member, nullable);
  }
  return body;
}

/** The parameters whose GraphQL arguments have other names: errors name the parameter that the client sent. */
const PARAMETERS_OF_ARGUMENTS: Readonly<Record<string, string>> = {
  after: 'cursor',
  first: 'limit',
  query: 'q',
  products: 'product',
};

function asParameterProblem(error: unknown): unknown {
  const problem = originalOf(error);
  const parameter = problem instanceof Problem ? PARAMETERS_OF_ARGUMENTS[problem.parameter ?? ''] : undefined;
  if (!(problem instanceof Problem) || parameter === undefined) return error;
  const { code, message, allowed, headers } = problem;
  return new Problem(code, message, { parameter, headers, ...(allowed && { allowed }), cause: error });
}
