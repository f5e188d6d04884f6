/** The limits of an operation's variables, which are checked before the variables are coerced: their values, levels, members and texts. */
import { LONGEST_URL } from '../http/answering.ts';
import { hasMoreValues } from '../values/count-values.ts';
import type { Variables } from './operation.ts';

/** The most values in the variables: items of lists and members of objects, at all levels. */
export const MOST_VARIABLE_VALUES = 10_000;
/** The most errors in the variables that are reported. */
export const MOST_VARIABLE_ERRORS = 20;
/** The most levels of lists and objects in a variable's value. No input of the schema has more than three. */
export const MOST_VARIABLE_LEVELS = 20;
/**
 * The most members of an object in a variable's value. No input of the schema has more than 16, and graphql-js prints the whole object in
 * the error of each unknown member.
 */
export const MOST_VARIABLE_MEMBERS = 100;
/** The most characters in the name of a member. GraphQL's errors repeat it. */
export const LONGEST_MEMBER_NAME = 100;
/** The most characters of a text in the variables, as of a URL. Every field that uses the variable reads it. */
export const LONGEST_VARIABLE_TEXT = LONGEST_URL;

/** The limit that the variables exceed, with the remedy, to complete "The variables have …"; `undefined` within the limits. */
export function excessOf(variables: Variables): string | undefined {
  // Counted first, so that the rest looks at few values.
  if (hasMoreValues(variables, MOST_VARIABLE_VALUES)) return `more than ${MOST_VARIABLE_VALUES} values: send fewer`;
  return excessOfAny(Object.values(variables), MOST_VARIABLE_LEVELS);
}

function excessOfAny(values: readonly unknown[], levels: number): string | undefined {
  for (const value of values) {
    const excess = excessOfOne(value, levels);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

function excessOfOne(value: unknown, levels: number): string | undefined {
  if (typeof value === 'string' && value.length > LONGEST_VARIABLE_TEXT)
    return `a text of ${value.length} characters, but the limit is ${LONGEST_VARIABLE_TEXT}: send a shorter one`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return `more than ${MOST_VARIABLE_LEVELS} levels of lists and objects: use fewer levels`;
  const parts = Object.values(value);
  if (!Array.isArray(value) && parts.length > MOST_VARIABLE_MEMBERS)
    return `an object with ${parts.length} members, but the limit is ${MOST_VARIABLE_MEMBERS}: send fewer`;
  if (!Array.isArray(value) && Object.keys(value).some((name) => name.length > LONGEST_MEMBER_NAME))
    return `a member whose name is longer than ${LONGEST_MEMBER_NAME} characters: no input has such a member`;
  return excessOfAny(parts, levels - 1);
}
