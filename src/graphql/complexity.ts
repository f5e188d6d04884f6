/**
 * Estimates the work of an operation before it is validated or run: the number of values in the response, and of levels.
 * Each fragment is visited once, however often it is spread, so the time depends only on the document's length.
 */
import {
  type FieldNode,
  type GraphQLField,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { costOfField, figure } from '../catalogue/field-cost.ts';
import { itemsOfPage } from '../catalogue/page.ts';
import { argumentsOf, hasVariables, oncePerOperation, SCHEMA_FIELDS, type Variables } from './operation.ts';
import { schema } from './schema.ts';

/** The estimated work of an operation. */
export interface Complexity {
  /** The most values in the response. A fragment that is spread twice in one place counts twice. */
  cost: number;
  /** The number of nested levels of fields. */
  depth: number;
  /** The number of combinations of time span and filter in the requested price histories. Each needs its own SQL statement. */
  windows: number;
}

type Field = GraphQLField<unknown, unknown>;

/** The cost of a selection: a fixed part, and a part for each item of the list whose size the parent field sets. */
interface Estimate {
  fixed: number;
  perItem: number;
  readonly depth: number;
}

const NOTHING: Estimate = { fixed: 0, perItem: 0, depth: 0 };
const NO_VARIABLES: Variables = {};

// Lists and objects count as one, because they may be long, and no window has any: validation refuses them.
const scalar = (value: unknown): unknown => (typeof value === 'object' && value !== null ? {} : value);

/**
 * Compiles the estimate of an operation, once, into a function of its variables. It computes anew only the selections that depend on a
 * variable or on the time, each after the selections inside it. An unknown name counts as one value, because validation refuses it.
 */
export const estimatorOf = oncePerOperation(({ operation, fragments }): ((variables: Variables) => Complexity) => {
  const root = schema().getRootType(operation.operation);
  const known = new Map<string, Map<Field | undefined, Estimate>>();
  /** The estimates that are not constant, and how to compute them anew. */
  const steps = new Map<Estimate, () => void>();
  const fixedWindows = new Set<string>();
  const windowsByVariables: (() => string)[] = [];
  let given = NO_VARIABLES;

  const estimate = (depth: number, depends: boolean, compute: (into: Estimate) => void): Estimate => {
    const into = { fixed: 0, perItem: 0, depth };
    compute(into);
    if (depends) steps.set(into, () => compute(into));
    return into;
  };

  /** @param above the field that the selection belongs to. */
  const ofSelections = ({ selections }: SelectionSetNode, type: unknown, above: Field | undefined): Estimate => {
    const parts = selections.map((selection) =>
      selection.kind === Kind.FIELD
        ? ofField(selection, type, above)
        : selection.kind === Kind.FRAGMENT_SPREAD
          ? ofFragment(selection.name.value, above)
          : ofSelections(selection.selectionSet, typeNamed(selection.typeCondition?.name.value) ?? type, above),
    );
    const depth = parts.reduce((deepest, part) => Math.max(deepest, part.depth), 0);
    return estimate(
      depth,
      parts.some((part) => steps.has(part)),
      (sum) => {
        sum.fixed = 0;
        sum.perItem = 0;
        for (const { fixed, perItem } of parts) {
          sum.fixed += fixed;
          sum.perItem += perItem;
        }
      },
    );
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
    const found = ofSelections(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value), above);
    places.set(place, found);
    return found;
  };

  const ofField = (selection: FieldNode, parent: unknown, above: Field | undefined): Estimate => {
    const field = fieldOf(parent, selection.name.value);
    const cost = costOfField(field);
    const below = selection.selectionSet
      ? ofSelections(selection.selectionSet, field && getNamedType(field.type), field)
      : NOTHING;
    const depends = hasVariables(selection);
    if (cost.windowArguments) {
      const wanted = cost.windowArguments;
      const window = () => {
        const argument = argumentsOf(selection, given);
        return JSON.stringify([selection.name.value, ...wanted.map((each) => scalar(argument(each)))]);
      };
      if (depends) windowsByVariables.push(window);
      else fixedWindows.add(window());
    }
    return estimate(below.depth + 1, depends || cost.changesWithTime === true || steps.has(below), (into) => {
      const argument = argumentsOf(selection, given);
      const weight = figure(cost.weight ?? 1, argument);
      const itemsBelow = below.perItem > 0 ? figure(cost.itemsBelow ?? itemsOfPage, argument) : 0;
      const inner = below.fixed + below.perItem * itemsBelow;
      if (cost.isSizedByParent) {
        into.fixed = weight;
        into.perItem = Math.max(inner, 1);
      } else {
        const belowItself = above === field ? cost.itemsBelowItself : undefined;
        into.fixed = weight + (belowItself ?? figure(cost.items ?? 1, argument)) * inner;
      }
    });
  };

  const typeNamed = (name: string | undefined) => (name === undefined ? undefined : schema().getType(name));

  const fieldOf = (parent: unknown, name: string): Field | undefined => {
    const declared = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    return declared ?? (parent === root ? SCHEMA_FIELDS.get(name) : undefined);
  };

  const whole = ofSelections(operation.selectionSet, root, undefined);
  const computing = [...steps.values()];
  return (variables) => {
    given = variables;
    for (const compute of computing) compute();
    const windows =
      windowsByVariables.length === 0
        ? fixedWindows
        : new Set([...fixedWindows, ...windowsByVariables.map((window) => window())]);
    given = NO_VARIABLES; // A client's variables may be long, and must not stay in memory.
    return { cost: whole.fixed + whole.perItem, depth: whole.depth, windows: windows.size };
  };
});
