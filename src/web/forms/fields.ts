/** Parses names and values as forms and queries send them (URL standard, `application/x-www-form-urlencoded`), without guessing. */
import type { z } from 'zod';
import type { Exchange } from '../../http/exchange.ts';
import { Problem } from '../../problem.ts';

/** The fields of a form or query, each with one value. */
export type Fields = ReadonlyMap<string, string>;

/** Much more than any form or query of ours has. */
const MOST_FIELDS = 100;

/**
 * Parses fields.
 * @param what names the text in errors.
 * @throws {Problem} `invalid_parameter` for broken UTF-8, characters that no text field can have, and repeated or too many fields.
 */
export function parseFields(text: string, what = 'form'): Fields {
  const fields = new Map<string, string>();
  if (text === '') return fields;
  const pairs = text.split('&', MOST_FIELDS + 1);
  if (pairs.length > MOST_FIELDS) throw invalid(`The ${what} has more than ${MOST_FIELDS} fields: send fewer.`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const sign = pair.indexOf('=');
    const name = decode(sign < 0 ? pair : pair.slice(0, sign), what);
    if (fields.has(name)) throw invalid(`The ${what} has the field ${quoted(name)} twice: send it once.`, name);
    fields.set(name, sign < 0 ? '' : decode(pair.slice(sign + 1), what));
  }
  return fields;
}

/** The fields of the query of a request. @throws as {@link parseFields} does. */
export const queryOf = ({ search }: Pick<Exchange, 'search'>): Fields => parseFields(search.slice(1), 'query');

/**
 * Checks fields against a schema of their values; empty fields count as missing.
 * @throws {Problem} `invalid_parameter` that names the first wrong field.
 * @example readFields(queryOf(exchange), z.object({ page: z.coerce.number().optional() }))
 */
export function readFields<Schema extends z.ZodObject>(fields: Fields, schema: Schema): z.infer<Schema> {
  const given = Object.fromEntries([...fields].filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? '');
  const isMissing = !(name in given);
  throw invalid(
    isMissing
      ? `The field ${quoted(name)} is missing: fill it in.`
      : `The field ${quoted(name)} is not valid: ${issue?.message}.`,
    name,
  );
}

/** Decodes strictly. Form data is ASCII; NUL cannot be stored as text. */
function decode(text: string, what: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    if (!decoded.includes('\0') && PLAIN.test(text)) return decoded;
  } catch {
    // Broken UTF-8, or a stray `%`.
  }
  throw invalid(`The ${what} is not valid UTF-8 text, or contains NUL characters: correct it.`);
}

// Encoded text contains no other characters; browsers encode them all.
const PLAIN = /^[\x21-\x7e]*$/;

const quoted = (name: string) => `\`${name.slice(0, 40)}\``;

const invalid = (detail: string, parameter?: string) =>
  new Problem('invalid_parameter', detail, parameter === undefined ? {} : { parameter });
