/** Converts a tool's JSON arguments to the strings from which the route's parameters are parsed. */
import type { z } from 'zod';
import { LONGEST_URL } from '../http/answering.ts';
import { Problem } from '../problem.ts';
import { escapeAttributeValue } from '../rest/parameter-types.ts';
import { ATTRIBUTE_PREFIX } from '../rest/product-filter.ts';
import { parseBody } from '../rest/request-body.ts';
import { type Route, toolNameOf } from '../rest/route.ts';

/** The most characters of an argument, as of a URL. A longer one is not parsed. */
const LONGEST_ARGUMENT = LONGEST_URL;

/**
 * The arguments as strings, in the order of the route's parameters. A number may be sent as a string. Null and the empty string count
 * as absent, because models often send them.
 *
 * Unlike in REST, an unknown argument is an error: otherwise an agent would believe that the result was filtered by it.
 *
 * @throws {Problem} `invalid_parameter`.
 */
export function readArguments(route: Route, given: Readonly<Record<string, unknown>>): Record<string, string> {
  const { without = [], lists = [], defaults = {} } = route.asTool ?? {};
  const names = Object.keys(route.parameters.shape).filter((name) => !without.includes(name));
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const parameter = unknown.slice(0, 100);
    const detail = `\`${toolNameOf(route)}\` has no argument \`${parameter}\`: use ${names.map((name) => `\`${name}\``).join(', ')}.`;
    throw new Problem('invalid_parameter', detail, { parameter, allowed: names });
  }
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = lists.includes(name) ? textOf(name, given[name]) : given[name];
    if (value === undefined || value === null || value === '') {
      if (defaults[name] !== undefined) values[name] = defaults[name];
      continue;
    }
    if (typeof value === 'string' && value.length > LONGEST_ARGUMENT) {
      const detail = `\`${name}\` has ${value.length} characters, but the limit is ${LONGEST_ARGUMENT}: send fewer.`;
      throw new Problem('invalid_parameter', detail, { parameter: name });
    }
    // A URL cannot carry lone surrogates.
    const isBroken =
      typeof value === 'string' ? /\p{Surrogate}/u.test(value) : !['number', 'boolean'].includes(typeof value);
    if (isBroken) {
      throw new Problem('invalid_parameter', `\`${name}\` must be a string or a number.`, { parameter: name });
    }
    values[name] = String(value);
  }
  const missing = names.find((name) => route.path.includes(`{${name}}`) && values[name] === undefined);
  if (missing !== undefined) {
    throw new Problem('invalid_parameter', `\`${missing}\` is missing: send it.`, { parameter: missing });
  }
  return values;
}

/** The body of a route from a tool's arguments. Null counts as absent, because models often send it. @throws {Problem} `invalid_parameter`. */
export function readBodyArguments(
  { asTool }: Pick<Route, 'asTool'>,
  shape: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const defaults = Object.entries(asTool?.defaults ?? {}).map(([name, text]) => [name, Number(text)]);
  const sent = Object.entries(given).filter(([, value]) => value !== null);
  return parseBody(shape, Object.fromEntries([...defaults, ...sent]));
}

/** A list as REST has it, separated by commas; any other value unchanged. */
function textOf(name: string, value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return value;
  return (name.startsWith(ATTRIBUTE_PREFIX) ? value.map(escapeAttributeValue) : value).join(',');
}
