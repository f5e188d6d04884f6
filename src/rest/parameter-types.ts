/** The types of parameters, which parse text from the URL into values and describe themselves in the description of the API. */
import * as z from 'zod';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../catalogue/page.ts';
import { LONGEST_ATTRIBUTE_VALUE } from '../catalogue/product/attributes.ts';
import { MOST_FILTER_VALUES } from '../catalogue/product/product-filter.ts';
import { LONGEST_QUERY } from '../catalogue/search/text-search.ts';
import { isDay } from '../values/day.ts';

/** A whole number within a range. */
export function whole(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^-?\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.int().min(least, error).max(most, error));
}

/** A price: a decimal number of at least 0. */
export function price() {
  const error = 'must be a price such as 12.99';
  return z
    .string()
    .regex(/^\d{1,12}(\.\d{1,4})?$/, error)
    .transform(Number)
    .pipe(z.number().min(0));
}

/** A percentage from 0 to 100. */
export function percentage() {
  const error = 'must be a number from 0 to 100 with at most two decimals';
  return z
    .string()
    .regex(/^\d{1,3}(\.\d{1,2})?$/, error)
    .transform(Number)
    .pipe(z.number().min(0).max(100, error));
}

/** A valid calendar day, in UTC. */
export function day() {
  return z.string().refine(isDay, 'must be a day written YYYY-MM-DD, from 0001-01-01').meta({ format: 'date' });
}

/** One of a closed set of words. */
export function oneOf<Word extends string>(words: readonly [Word, ...Word[]]) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` });
}

/** Words of a closed set, separated by commas. */
export function several<Word extends string>(words: readonly [Word, ...Word[]]) {
  const one = z.enum(words, { error: `must be one or more of ${words.join(', ')}, separated by commas` });
  return z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(one).max(MOST_FILTER_VALUES, `must have at most ${MOST_FILTER_VALUES} values`));
}

/** Slugs or ids, separated by commas. */
export function references(most: number) {
  return z
    .string()
    .min(1, 'must not be empty')
    .transform((text) => text.split(','))
    .pipe(z.array(reference()).max(most, `must have at most ${most} slugs or ids`));
}

/** Slugs or ids of which one must match, as text: separated by commas. See {@link valuesOf}. */
export function anyReference() {
  const one = reference();
  return z
    .string()
    .min(1, 'must not be empty')
    .superRefine((text, context) => {
      const values = text.split(',');
      if (values.length > MOST_FILTER_VALUES)
        return refuse(context, `must have at most ${MOST_FILTER_VALUES} slugs or ids`);
      for (const each of values) {
        const parsed = one.safeParse(each);
        if (!parsed.success) return refuse(context, parsed.error.issues[0]?.message ?? 'not valid');
      }
    });
}

/** Words of a closed set of which one must match, as text: separated by commas. See {@link valuesOf}. */
export function anyOf<Word extends string>(words: readonly [Word, ...Word[]]) {
  const message = `must be one or more of ${words.join(', ')}, separated by commas`;
  const one = `(${words.join('|')})`;
  return z
    .string()
    .superRefine((text, context) => {
      const isKnown = text.split(',').every((each) => (words as readonly string[]).includes(each));
      if (!isKnown) context.addIssue({ code: 'invalid_value', values: [...words], message });
      else if (text.split(',').length > MOST_FILTER_VALUES)
        refuse(context, `must have at most ${MOST_FILTER_VALUES} values`);
    })
    .meta({ pattern: `^${one}(,${one})*$` });
}

/** Values of an attribute of which one must match, as text: separated by commas. See {@link attributeValuesOf}. */
export function anyAttributeValue() {
  return z
    .string()
    .min(1, 'must not be empty')
    .superRefine((text, context) => {
      const values = attributeValuesOf(text);
      if (values.length > MOST_FILTER_VALUES) refuse(context, `must have at most ${MOST_FILTER_VALUES} values`);
      else if (values.some((value) => value === '')) refuse(context, 'must not have an empty value');
      else if (values.some((value) => value.length > LONGEST_ATTRIBUTE_VALUE)) {
        refuse(context, `must have values of at most ${LONGEST_ATTRIBUTE_VALUE} characters`);
      }
    });
}

const refuse = (context: z.RefinementCtx, message: string): void => context.addIssue({ code: 'custom', message });

/** The values of a text whose separators are commas. */
export const valuesOf = (text: string): string[] => text.split(',');

/** The values of an attribute's parameter: separated by commas. A comma in a value is written `\\,`, and a backslash `\\\\`. */
export function attributeValuesOf(text: string): string[] {
  const values = [''];
  for (const [part] of text.matchAll(/\\[\\,]|[\s\S]/g)) {
    if (part === ',') values.push('');
    else values.push(`${values.pop()}${part.length === 2 && part.startsWith('\\') ? part.slice(1) : part}`);
  }
  return values;
}

/** A value of an attribute as its parameter has it. */
export const escapeAttributeValue = (value: string): string => value.replace(/[\\,]/g, '\\$&');

/** `true` or `false`. */
export function flag() {
  return z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .pipe(z.boolean());
}

/** Text typed by a user. */
export function typed() {
  const error = `must be 1 to ${LONGEST_QUERY} characters`;
  return z.string().min(1, error).max(LONGEST_QUERY, error);
}

/** A slug or an id. */
export function reference() {
  return z.string().min(1, 'must not be empty').max(200, 'is too long for a slug or an id');
}

/** A parameter that may be left out. @param example its value in the description of the API. */
export function optional<Type extends z.ZodType>(
  type: Type,
  description: string,
  example?: string | number | boolean | readonly string[],
) {
  return type.optional().meta({ description, ...(example !== undefined && { example }) });
}

/** The filter by what is known of the shipping of offers. */
export const shipping = optional(
  oneOf(['known']),
  '`known` leaves out offers whose shop does not state the shipping.',
  'known',
);

/** The parameters of all paginated lists. */
export const paging = {
  limit: whole(1, LARGEST_LIMIT)
    .default(DEFAULT_LIMIT)
    .meta({ description: 'The number of items per page.', example: DEFAULT_LIMIT }),
  cursor: z.string().min(1, 'must not be empty').optional().meta({
    description:
      'The start of the page: `page.nextCursor` of the previous page. A cursor is valid for its list, order and filter only.',
  }),
};
