/** Runs one tool call: admitted, counted and answered like a REST request to its route, with the result in MCP's form. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Access } from '../access/access.ts';
import { atOneRequest } from '../access/access-class.ts';
import type { Market } from '../catalogue/market.ts';
import { problemBody } from '../http/problem.ts';
import { makeRouter } from '../http/router.ts';
import { asProblem } from '../operations/faults.ts';
import type { Log } from '../operations/log.ts';
import { Problem } from '../problem.ts';
import type { WrittenAnswer } from '../rest/kept-answers.ts';
import type { RouteAnswers } from '../rest/rest.ts';
import { type Route, requestTarget, toolNameOf } from '../rest/route.ts';
import { ROUTES } from '../rest/routes.ts';
import { readArguments } from './arguments.ts';
import { explain } from './explain.ts';

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
    return asResult(route, await answer(route, given, routes, access));
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status >= 500) {
      log.error({ requestId, err: problem.cause ?? problem });
      await access.conclude(problem.status).catch(() => {}); // This only refunds the call; its headers are not needed here.
    }
    return {
      isError: true,
      content: [{ type: 'text', text: explain(problem, route, requestId, market) }],
      _meta: { problem: problemBody(problem, market.publicUrl), requestId },
    };
  }
}

function answer(
  route: Route,
  given: Readonly<Record<string, unknown>>,
  routes: RouteAnswers,
  access: Access,
): Promise<WrittenAnswer> {
  return atOneRequest(access, async () => {
    const values = readArguments(route, given);
    // An invalid parameter is reported, and charged, after the request has been admitted (decisions §4).
    if (values instanceof Problem) throw values;
    // The URL is the key of the response cache; the parameters are passed along with it.
    return routes.answer(route, values, { ...requestTarget(route, values), access });
  });
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
