/** The estimate of an operation's work as its definition reads, computed anew for each value of the variables. Exponential in nested fragments. */
import {
  type FieldNode,
  type GraphQLField,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { costOfField, figure } from '../../src/catalogue/field-cost.ts';
import { itemsOfPage } from '../../src/catalogue/page.ts';
import type { Complexity } from '../../src/graphql/complexity.ts';
import { type ReadOperation, SCHEMA_FIELDS, type Variables } from '../../src/graphql/operation.ts';
import { schema } from '../../src/graphql/schema.ts';

type Field = GraphQLField<unknown, unknown>;

export function plainComplexity({ operation, fragments }: ReadOperation, variables: Variables): Complexity {
  const root = schema().getRootType(operation.operation);
  const windows = new Set<string>();

  const ofSelections = ({ selections }: SelectionSetNode, type: unknown, above?: Field): typeof NOTHING =>
    selections
      .map((each) => {
        if (each.kind === Kind.FIELD) return ofField(each, type, above);
        const part = each.kind === Kind.FRAGMENT_SPREAD ? fragments.get(each.name.value) : each;
        if (!part) return NOTHING;
        return ofSelections(
          part.selectionSet,
          part.typeCondition ? schema().getType(part.typeCondition.name.value) : type,
          above,
        );
      })
      .reduce(
        (sum, { fixed, perItem, depth }) => ({
          fixed: sum.fixed + fixed,
          perItem: sum.perItem + perItem,
          depth: Math.max(sum.depth, depth),
        }),
        NOTHING,
      );

  const ofField = (node: FieldNode, parent: unknown, above?: Field): typeof NOTHING => {
    const declared = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    const field = declared ?? (parent === root ? SCHEMA_FIELDS.get(node.name.value) : undefined);
    const cost = costOfField(field);
    const argument = (name: string) => {
      const given = node.arguments?.find((each) => each.name.value === name);
      return given && valueFromASTUntyped(given.value, variables);
    };
    const below = node.selectionSet
      ? ofSelections(node.selectionSet, field && getNamedType(field.type), field)
      : NOTHING;
    if (cost.windowArguments) {
      windows.add(JSON.stringify([node.name.value, ...cost.windowArguments.map((each) => argument(each) ?? null)]));
    }
    const weight = figure(cost.weight ?? 1, argument);
    const inner =
      below.fixed + (below.perItem > 0 ? below.perItem * figure(cost.itemsBelow ?? itemsOfPage, argument) : 0);
    const depth = below.depth + 1;
    if (cost.isSizedByParent) return { fixed: weight, perItem: Math.max(inner, 1), depth };
    const items = (above === field ? cost.itemsBelowItself : undefined) ?? figure(cost.items ?? 1, argument);
    return { fixed: weight + items * inner, perItem: 0, depth };
  };

  const { fixed, perItem, depth } = ofSelections(operation.selectionSet, root);
  return { cost: fixed + perItem, depth, windows: windows.size };
}

const NOTHING = { fixed: 0, perItem: 0, depth: 0 };
