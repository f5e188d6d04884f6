/** A problem as an agent reads it: what is wrong, and what to do next with the tools that it has. */
import type { Market } from '../catalogue/market.ts';
import type { Problem, ProblemCode } from '../problem.ts';
import { type Route, toolNameOf } from '../rest/route.ts';
import { ROUTES } from '../rest/routes.ts';

/** What to do next, in a sentence; nothing where the problem itself says it. */
const NEXT_STEPS: Partial<Record<ProblemCode, (route: Route, requestId: string) => string>> = {
  invalid_parameter: (route) => `Mend the arguments and call \`${toolNameOf(route)}\` again.`,
  exactly_one_identifier: (route) => `Mend the arguments and call \`${toolNameOf(route)}\` again.`,
  not_found: () => 'Check it, or find the product by its name with `search`.',
  missing_api_key: () => 'Ask the user to check the key that the client sends.',
  invalid_api_key: () => 'Ask the user to check the key that the client sends.',
  quota_exhausted: () => 'Until then no tool of this server answers: tell the user.',
  internal_error: (_, requestId) => `This call was not charged. Its request id is ${requestId}.`,
  unavailable: () => 'This call was not charged.',
};

/** The problem's code, its own sentence with tools in the place of routes, and the next step. */
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
