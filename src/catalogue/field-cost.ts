/**
 * What a GraphQL field costs, declared beside the field and read by the limits on operations, in the terms of the GraphQL Cost
 * Directives specification (IBM): assumed sizes, slicing arguments, sized fields, weights.
 */
import type { GraphQLField } from 'graphql';

/** Reads an argument of a field; `undefined` if the operation does not send it. */
export type ArgumentOf = (name: string) => unknown;

/** A number, or how the arguments determine it. */
type Figure = number | ((argument: ArgumentOf) => number);

interface FieldCost {
  /** Requests that a root field takes from the quota: 1 by default, 0 if the field is public over REST as well. */
  requests?: Figure;
  /** Whether the root field needs a key and counts against the limits of the access class `keyed`. Its `requests` are 0. */
  isKeyed?: true;
  /** Whether the root field must be the only one, because its result is shown once, and an error of another field could take it away. */
  isAlone?: true;
  /** Whether the resolver charges further requests for what it finds. Such an operation must not run twice. */
  chargesMore?: true;
  /** Values that the field itself counts for: 1 by default, more for a statement of its own. */
  weight?: Figure;
  /** Items in the field's list: 1 by default. */
  items?: Figure;
  /** Items in the field's list if the field stands directly below itself, as in a tree. */
  itemsBelowItself?: number;
  /** The field above determines the length of this list, as a connection does for `edges` and `nodes`. */
  isSizedByParent?: true;
  /** Items in each list directly below that is `isSizedByParent`: the size of a connection's page by default. */
  itemsBelow?: Figure;
  /** Whether the figures depend on the time too, so that they must be computed for each request. */
  changesWithTime?: true;
  /** The arguments that select what the field's statement reads. Each combination of values costs one statement. */
  windowArguments?: readonly string[];
}

/** The option of a field that declares its cost: `t.field({ …, ...cost({ weight: 20 }) })`. */
export const cost = (fieldCost: FieldCost): { extensions: { cost: FieldCost } } => ({
  extensions: { cost: fieldCost },
});

/** The declared cost of a field of the schema. */
export const costOfField = (field: GraphQLField<unknown, unknown> | undefined): FieldCost =>
  (field?.extensions as { cost?: FieldCost } | undefined)?.cost ?? {};

/** The value of a figure for the arguments of one selection. */
export const figure = (value: Figure, argument: ArgumentOf): number =>
  typeof value === 'number' ? value : value(argument);

/** An argument as a whole number from 1 to `most`; `fallback` if it is none. */
export const wholeArgument = (value: unknown, fallback: number, most: number): number =>
  Number.isInteger(value) ? Math.min(Math.max(Number(value), 1), most) : fallback;
