/** Runs one tool call: admitted, counted and answered like a REST request to its route, with the result in MCP's form. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Access } from '../access/access.ts';
import { atPrice } from '../access/access-class.ts';
import type { Market } from '../catalogue/market.ts';
import { problemBody } from '../http/problem.ts';
import { makeRouter } from '../http/router.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import { Problem, type ProblemCode } from '../problem.ts';
import type { WrittenAnswer } from '../rest/kept-answers.ts';
import type { RouteAnswers } from '../rest/rest.ts';
import { type Route, requestTarget, toolNameOf } from '../rest/route.ts';
import { ROUTES } from '../rest/routes.ts';
import { readArguments, readBodyArguments } from './arguments.ts';

export interface CallServices {
  market: Market;
  log: Log;
  routes: RouteAnswers;
  /** Opens the access of one call, with the key of the request. */
  openAccess: () => Access;
}

/** Calls a tool. Errors are part of the result, as MCP requires, so that the agent can read them and fix its call. */
export async function callTool(
  route: Route,
  given: Readonly<Record<string, unknown>>,
  requestId: string,
  { market, log, routes, openAccess }: CallServices,
): Promise<CallToolResult> {
  const access = openAccess();
  try {
    const work = async () => {
      // Invalid arguments are reported, and charged, after the call has been admitted.
      if (route.body) {
        const body = readBodyArguments(route, route.body, given);
        return routes.answer(route, {}, { ...requestTarget(route, {}), access }, { body });
      }
      const values = readArguments(route, given);
      // The URL is the key of the response cache; the parameters are passed along with it.
      return routes.answer(route, values, { ...requestTarget(route, values), access });
    };
    const answer = await (route.access === 'keyed'
      ? access.admitKeyed().then(work)
      : atPrice(access, priceOf(route, given), work));
    return asResult(route, answer);
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status >= 500) {
      log.error({ requestId, err: problem.cause ?? problem });
      await Promise.resolve(access.conclude(problem.status)).catch(() => {}); // This only refunds the call; its headers are not needed here.
    }
    return {
      isError: true,
      content: [{ type: 'text', text: explain(problem, route, requestId, market) }],
      _meta: { problem: problemBody(problem, market.publicUrl), requestId },
    };
  }
}

/** The requests that a call costs. Invalid arguments cost one. */
function priceOf(route: Route, given: Readonly<Record<string, unknown>>): number {
  if (!route.body || !route.requestsOf) return 1;
  try {
    return route.requestsOf(readBodyArguments(route, route.body, given));
  } catch (error) {
    if (error instanceof Problem) return 1;
    throw error;
  }
}

const findRoute = makeRouter(ROUTES);

/** The body of the REST response. Links, which REST sends as headers, become tool calls in `next`. */
function asResult({ source }: Route, { body, links }: WrittenAnswer): CallToolResult {
  const parsed = JSON.parse(body) as Record<string, unknown>;
  if (!('document' in source) || !source.links) {
    return { structuredContent: parsed, content: [{ type: 'text', text: body }] };
  }
  const next = Object.values(links).flatMap((path) => {
    const match = findRoute(path);
    return match?.row.tool === undefined ? [] : [{ tool: toolNameOf(match.row), arguments: match.values }];
  });
  const structuredContent = { ...parsed, next };
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

/** The next step, in one sentence; absent if the problem's own message gives it. */
const NEXT_STEPS: Partial<Record<ProblemCode, (route: Route, requestId: string) => string>> = {
  invalid_parameter: (route) => `Fix the arguments and call \`${toolNameOf(route)}\` again.`,
  exactly_one_identifier: (route) => `Fix the arguments and call \`${toolNameOf(route)}\` again.`,
  not_found: () => 'Check the argument, or find the product by name with `search`.',
  missing_api_key: () => 'Ask the user to check the API key in the client’s settings.',
  invalid_api_key: () => 'Ask the user to check the API key in the client’s settings.',
  quota_exhausted: () => 'Until then, all tools of this server are unavailable: tell the user.',
  internal_error: (_, requestId) => `This call was not charged. Its request id is ${requestId}.`,
  unavailable: () => 'This call was not charged.',
};

/** The problem's code, its message with tools in place of routes, and the next step. */
function explain(problem: Problem, route: Route, requestId: string, { publicUrl }: Market): string {
  const detail = problem.message.replace(/\/api\/v1[\w/-]*/g, (path) => {
    const tool = ROUTES.find((each) => each.path === path && each.tool !== undefined);
    return tool ? `\`${toolNameOf(tool)}\`` : publicUrl + path;
  });
  const next = NEXT_STEPS[problem.code]?.(route, requestId);
  const sentence = /[.!?]$/.test(detail) ? detail : `${detail}.`;
  return `${problem.code}: ${sentence}${next === undefined ? '' : ` ${next}`}`;
}
