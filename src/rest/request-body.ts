/** Reads JSON bodies of requests, and describes them. Both derive from the route's schema. */
import * as z from 'zod';
import { type BodyRule, type Exchange, headerOf } from '../http/exchange.ts';
import { Problem } from '../problem.ts';
import type { JsonSchema } from './body-schema.ts';

/** The longest body, in bytes. */
const MOST_BYTES = 65_536;

/** Reads no body without a key that may be valid: the request is refused before its body matters. */
export const jsonBodyRule: BodyRule = (exchange) =>
  exchange.access.isMalformed() || headerOf(exchange, 'x-api-key') === undefined ? 0 : MOST_BYTES;

/**
 * The body of a request, as the schema describes it. No body at all counts as an empty object.
 * @throws {Problem} `unsupported_media_type`; `invalid_parameter` for text that is not JSON, with its place, and for a member that is
 *   missing, malformed or unknown.
 */
export function readBody(shape: z.ZodObject, exchange: Exchange): Record<string, unknown> {
  const text = exchange.body();
  return parseBody(shape, text === '' ? {} : parseJson(exchange, text));
}

/** A body that has been parsed as JSON, as the schema describes it. @throws {Problem} `invalid_parameter`. */
export function parseBody(shape: z.ZodObject, json: unknown): Record<string, unknown> {
  // A missing member has no input, whatever message its schema gives to other types.
  const parsed = shape.safeParse(json, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw problemOf(parsed.error.issues[0]);
}

/** The JSON Schema of a body. */
export function describeBody(shape: z.ZodObject): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: 'input' });
  return schema;
}

function parseJson(exchange: Exchange, text: string): unknown {
  const type = headerOf(exchange, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const encoding = headerOf(exchange, 'content-encoding') ?? 'identity';
  if (type !== 'application/json' || encoding !== 'identity') {
    const detail = 'Send the body as `application/json`, uncompressed.';
    throw new Problem('unsupported_media_type', detail, { parameter: 'Content-Type' });
  }
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = placeOfFault(text);
    throw new Problem('invalid_parameter', `The body is not JSON: see line ${line}, column ${column}.`);
  }
}

/**
 * The first character at which a text stops being JSON. V8 does not tell it for every fault, so this finds the longest beginning that
 * could still become JSON, in about 16 steps.
 */
function placeOfFault(text: string): { line: number; column: number } {
  let least = 0;
  let most = text.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (canBecomeJson(text.slice(0, middle))) least = middle;
    else most = middle - 1;
  }
  const lines = text.slice(0, least).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Whether a text is JSON, or a beginning of it: then the only fault is at its end. */
function canBecomeJson(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const message = String(error);
    const position = / at position (\d+)/.exec(message)?.[1];
    return (
      /Unexpected end|Unterminated/.test(message) || (position !== undefined && Number(position) >= beginning.length)
    );
  }
}

function problemOf(issue: z.core.$ZodIssue | undefined): Problem {
  const parameter = nameOf(issue?.path ?? []);
  if (issue?.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    const named = nameOf([...issue.path, unknown]);
    return new Problem('invalid_parameter', 'The body has an unknown member: leave it out, or correct its name.', {
      parameter: named.slice(0, LONGEST_NAME),
    });
  }
  if (parameter === '') return new Problem('invalid_parameter', 'The body must be a JSON object: send one.');
  const isMissing = issue?.code === 'invalid_type' && issue.input === undefined;
  const detail = isMissing
    ? `\`${parameter}\` is missing: send it.`
    : `\`${parameter}\`: ${issue?.message ?? 'not valid'}.`;
  return new Problem('invalid_parameter', detail, {
    parameter,
    ...(issue?.code === 'invalid_value' && { allowed: issue.values.map(String) }),
  });
}

const LONGEST_NAME = 100;

/** @example nameOf(['filter', 'codes', 0]) // 'filter.codes[0]' */
const nameOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? String(part) : `${name}.${String(part)}`;
  }, '');
