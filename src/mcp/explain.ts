/** Explains a problem to an agent: what is wrong, and what to do next with its tools. */
import type { Market } from '../catalogue/market.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { type Route, toolNameOf } from '../rest/route.ts';
import { ROUTES } from '../rest/routes.ts';

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
export function explain(problem: Problem, route: Route, requestId: string, { publicUrl }: Market): string {
  const detail = problem.message.replace(/\/api\/v1[\w/-]*/g, (path) => toolOf(path) ?? publicUrl + path);
  const next = NEXT_STEPS[problem.code]?.(route, requestId);
  const sentence = /[.!?]$/.test(detail) ? detail : `${detail}.`;
  return `${problem.code}: ${sentence}${next === undefined ? '' : ` ${next}`}`;
}

function toolOf(path: string): string | undefined {
  const route = ROUTES.find((each) => each.path === path && each.tool !== undefined);
  return route && `\`${toolNameOf(route)}\``;
}
