/**
 * How much work an operation may be, estimated before anything of it is validated or run: how many values the answer may have,
 * lists multiplied by their sizes, and how many levels. Each fragment is looked at once, however often it is spread, so the
 * estimate takes time by the document's length alone.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  valueFromASTUntyped,
} from 'graphql';
import { type ArgumentOf, costOfField, figure } from '../catalogue/field-cost.ts';
import { itemsOfPage } from '../catalogue/page.ts';
import type { ReadOperation, Variables } from './operation.ts';

/** What an operation asks for. */
export interface Complexity {
  /** How many values the answer may have; a fragment that is spread twice in one place counts twice. */
  cost: number;
  /** How many levels of fields stand below each other. */
  depth: number;
  /** How many different time spans and merchants price histories are asked for: each is a statement of its own. */
  windows: number;
}

/** A field of the schema, as its declaration has it. */
type Field = GraphQLField<unknown, unknown>;

/** The cost of a selection: a fixed part, and a part for each item of the list that the field above has the size of. */
interface Estimate {
  fixed: number;
  perItem: number;
  depth: number;
}

const NOTHING: Estimate = { fixed: 0, perItem: 0, depth: 0 };

/**
 * Estimates an operation from the costs that its fields declare (`catalogue/field-cost.ts`). A name that the schema does not have
 * counts as one value: validation refuses it.
 */
export function complexityOf(schema: GraphQLSchema, read: ReadOperation, variables: Variables): Complexity {
  const { operation, fragments } = read;
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
    // Only a field that may stand below itself makes a difference to a fragment.
    const place = costOfField(above).itemsBelowItself === undefined ? undefined : above;
    const places = known.get(name) ?? new Map<Field | undefined, Estimate>();
    known.set(name, places);
    let estimate = places.get(place);
    if (!estimate) {
      const fragment = fragments.get(name);
      places.set(place, NOTHING); // A fragment within itself: validation refuses it.
      estimate = fragment
        ? ofSelections(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value), above)
        : NOTHING;
      places.set(place, estimate);
    }
    return estimate;
  };

  const ofField = (selection: FieldNode, parent: unknown, above: Field | undefined): Estimate => {
    const field = fieldOf(parent, selection.name.value);
    const cost = costOfField(field);
    const argument: ArgumentOf = (wanted) => {
      const given = selection.arguments?.find((each) => each.name.value === wanted);
      return given && valueFromASTUntyped(given.value, variables);
    };
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
    if (parent === root && name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (parent === root && name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
    return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
  };

  const root: GraphQLObjectType | undefined = schema.getRootType(operation.operation) ?? undefined;
  const { fixed, perItem, depth } = ofSelections(operation.selectionSet, root, undefined);
  return { cost: fixed + perItem, depth, windows: windows.size };
}
