/**
 * How much work an operation may be, estimated before anything of it is validated or run: how many values the answer may have,
 * lists multiplied by their sizes, and how many levels. Each fragment is looked at once, however often it is spread, so the
 * estimate takes time by the document's length alone.
 */
import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
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
import {
  type ArgumentOf,
  ASSUMED_SIZES,
  NESTED_SIZES,
  SIZED_FIELDS,
  SIZES_BELOW,
  SLICED_SIZES,
  WEIGHTS,
  WINDOWED_FIELDS,
} from './list-sizes.ts';
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

/** What a selection costs: so much by itself, and so much for each thing that a list right in it has. */
interface Estimate {
  fixed: number;
  perSized: number;
  depth: number;
}

const NOTHING: Estimate = { fixed: 0, perSized: 0, depth: 0 };

/** Estimates an operation. What the schema does not know counts as one value: validation refuses it. */
export function complexityOf(schema: GraphQLSchema, read: ReadOperation, variables: Variables): Complexity {
  const { operation, fragments } = read;
  const known = new Map<string, Estimate>();
  const windows = new Set<string>();

  /** @param above the field that the selection is of, by `Type.field`. */
  const ofSelections = ({ selections }: SelectionSetNode, type: unknown, above: string): Estimate => {
    const sum = { ...NOTHING };
    for (const selection of selections) {
      const estimate =
        selection.kind === Kind.FIELD
          ? ofField(selection, type, above)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? ofFragment(selection.name.value, above)
            : ofSelections(selection.selectionSet, typeNamed(selection.typeCondition?.name.value) ?? type, above);
      sum.fixed += estimate.fixed;
      sum.perSized += estimate.perSized;
      sum.depth = Math.max(sum.depth, estimate.depth);
    }
    return sum;
  };

  const ofFragment = (name: string, above: string): Estimate => {
    const place = above in NESTED_SIZES ? `${name} ${above}` : name; // No name has a blank.
    let estimate = known.get(place);
    if (!estimate) {
      const fragment = fragments.get(name);
      known.set(place, NOTHING); // A fragment within itself: validation refuses it.
      estimate = fragment
        ? ofSelections(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value), above)
        : NOTHING;
      known.set(place, estimate);
    }
    return estimate;
  };

  const ofField = (field: FieldNode, parent: unknown, above: string): Estimate => {
    const hasFields = isObjectType(parent) || isInterfaceType(parent);
    const name = hasFields ? `${parent.name}.${field.name.value}` : '';
    const argument: ArgumentOf = (wanted) => {
      const given = field.arguments?.find((each) => each.name.value === wanted);
      return given && valueFromASTUntyped(given.value, variables);
    };
    const below = field.selectionSet
      ? ofSelections(field.selectionSet, typeOf(parent, field.name.value), name)
      : NOTHING;
    const weigh = WEIGHTS[name] ?? 1;
    const weight = typeof weigh === 'number' ? weigh : weigh(argument);
    const windowed = WINDOWED_FIELDS[name];
    if (windowed) windows.add(JSON.stringify([name, ...windowed.map((each) => argument(each) ?? null)]));
    const sizeBelow = below.perSized > 0 ? (SIZES_BELOW[name]?.(argument) ?? 1) : 0;
    const inner = below.fixed + below.perSized * sizeBelow;
    const depth = below.depth + 1;
    if (SIZED_FIELDS.has(name)) return { fixed: weight, perSized: Math.max(inner, 1), depth };
    const assumed = above === name ? NESTED_SIZES[name] : undefined;
    const size = SLICED_SIZES[name]?.(argument) ?? assumed ?? ASSUMED_SIZES[name] ?? 1;
    return { fixed: weight + size * inner, perSized: 0, depth };
  };

  const typeNamed = (name: string | undefined) => (name === undefined ? undefined : schema.getType(name));

  const typeOf = (parent: unknown, name: string): unknown => {
    let type: GraphQLOutputType | undefined;
    if (isObjectType(parent) || isInterfaceType(parent)) type = parent.getFields()[name]?.type;
    if (parent === root && name === SchemaMetaFieldDef.name) type = SchemaMetaFieldDef.type;
    if (parent === root && name === TypeMetaFieldDef.name) type = TypeMetaFieldDef.type;
    return type && getNamedType(type);
  };

  const root: GraphQLObjectType | undefined = schema.getRootType(operation.operation) ?? undefined;
  const { fixed, perSized, depth } = ofSelections(operation.selectionSet, root, '');
  return { cost: fixed + perSized, depth, windows: windows.size };
}
