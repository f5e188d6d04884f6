/** A tool's arguments, from JSON to the texts that the row's parameters are parsed from. */
import { Problem } from '../problem.ts';
import { type Route, toolNameOf } from '../rest/route.ts';

/**
 * The texts of the arguments, in the order of the row's parameters. Numbers may be numbers or texts; null and the empty text
 * stand for nothing, since models like to send them.
 *
 * Unlike REST, an argument that the tool has not is a mistake: an agent would take the answer for a filtered one.
 *
 * @returns a problem, not thrown since it is told after the call has been admitted, when there is something wrong.
 */
export function readArguments(
  route: Route,
  given: Readonly<Record<string, unknown>>,
): Record<string, string> | Problem {
  const names = Object.keys(route.parameters.shape);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const parameter = unknown.slice(0, 100);
    const detail = `\`${toolNameOf(route)}\` has no argument \`${parameter}\`: it takes ${names.map((name) => `\`${name}\``).join(', ')}.`;
    return new Problem('invalid_parameter', detail, { parameter, allowed: names });
  }
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = given[name];
    if (value === undefined || value === null || value === '') continue;
    if ((typeof value !== 'string' && typeof value !== 'number') || isBroken(value)) {
      return new Problem('invalid_parameter', `\`${name}\` must be a text or a number.`, { parameter: name });
    }
    values[name] = String(value);
  }
  const missing = namesInPath(route).find((name) => values[name] === undefined);
  if (missing !== undefined) {
    return new Problem('invalid_parameter', `\`${missing}\` is needed: send it.`, { parameter: missing });
  }
  return values;
}

/** Half of a character is no text that an address could hold. */
function isBroken(value: string | number): boolean {
  return typeof value === 'string' && /\p{Surrogate}/u.test(value);
}

function namesInPath({ path }: Route): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
