/**
 * Estimates the work of an operation before it is validated or run: the number of values in the response, and of levels.
 * Each fragment is visited once, however often it is spread, so the time depends only on the document's length.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { costOfField, figure } from '../catalogue/field-cost.ts';
import { itemsOfPage } from '../catalogue/page.ts';
import { argumentsOf, type ReadOperation, SCHEMA_FIELDS, type Variables } from './operation.ts';

/** The estimated work of an operation. */
export interface Complexity {
  /** The most values in the response. A fragment that is spread twice in one place counts twice. */
  cost: number;
  /** The number of nested levels of fields. */
  depth: number;
  /** The number of combinations of time span and merchant in the requested price histories. Each needs its own SQL statement. */
  windows: number;
}

type Field = GraphQLField<unknown, unknown>;

/** The cost of a selection: a fixed part, and a part for each item of the list whose size the parent field sets. */
interface Estimate {
  fixed: number;
  perItem: number;
  depth: number;
}

const NOTHING: Estimate = { fixed: 0, perItem: 0, depth: 0 };

/** Estimates an operation from the costs that its fields declare. An unknown name counts as one value, because validation refuses it. */
export function complexityOf(
  schema: GraphQLSchema,
  { operation, fragments }: ReadOperation,
  variables: Variables,
): Complexity {
  const root = schema.getRootType(operation.operation);
  const known = new Map<string, Map<Field | undefined, Estimate>>();
  const windows = new Set<string>();

  /** @param above the field that the selection belongs to. */
  const ofSelections = ({ selections }: SelectionSetNode, type: unknown, above: Field | undefined): Estimate => {
    const sum = { ...NOTHING };
    for (const selection of selections) {
      const estimate =
        selection.kind === Kind.FIELD
          ? ofField(selection, type, above)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? ofFragment(selection.name.value, above)
            : ofSelections(selection.selectionSet, typeNamed(selection.typeCondition?.name.value) ?? type, above);
      sum.fixed += estimate.fixed;
      sum.perItem += estimate.perItem;
      sum.depth = Math.max(sum.depth, estimate.depth);
    }
    return sum;
  };

  const ofFragment = (name: string, above: Field | undefined): Estimate => {
    // The parent field changes a fragment's cost only if that field can be nested in itself.
    const place = costOfField(above).itemsBelowItself === undefined ? undefined : above;
    const places = known.get(name) ?? new Map<Field | undefined, Estimate>();
    known.set(name, places);
    const estimated = places.get(place);
    if (estimated) return estimated;
    places.set(place, NOTHING); // For a fragment that spreads itself, which validation refuses.
    const fragment = fragments.get(name);
    if (!fragment) return NOTHING;
    const estimate = ofSelections(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value), above);
    places.set(place, estimate);
    return estimate;
  };

  const ofField = (selection: FieldNode, parent: unknown, above: Field | undefined): Estimate => {
    const field = fieldOf(parent, selection.name.value);
    const cost = costOfField(field);
    const argument = argumentsOf(selection, variables);
    const below = selection.selectionSet
      ? ofSelections(selection.selectionSet, field && getNamedType(field.type), field)
      : NOTHING;
    const weight = figure(cost.weight ?? 1, argument);
    if (cost.windowArguments) {
      windows.add(
        JSON.stringify([selection.name.value, ...cost.windowArguments.map((each) => argument(each) ?? null)]),
      );
    }
    const itemsBelow = below.perItem > 0 ? figure(cost.itemsBelow ?? itemsOfPage, argument) : 0;
    const inner = below.fixed + below.perItem * itemsBelow;
    const depth = below.depth + 1;
    if (cost.isSizedByParent) return { fixed: weight, perItem: Math.max(inner, 1), depth };
    const belowItself = above === field ? cost.itemsBelowItself : undefined;
    return { fixed: weight + (belowItself ?? figure(cost.items ?? 1, argument)) * inner, perItem: 0, depth };
  };

  const typeNamed = (name: string | undefined) => (name === undefined ? undefined : schema.getType(name));

  const fieldOf = (parent: unknown, name: string): Field | undefined => {
    const declared = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    return declared ?? (parent === root ? SCHEMA_FIELDS.get(name) : undefined);
  };

  const { fixed, perItem, depth } = ofSelections(operation.selectionSet, root, undefined);
  return { cost: fixed + perItem, depth, windows: windows.size };
}
