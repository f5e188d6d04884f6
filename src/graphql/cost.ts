/** The price of a GraphQL operation in requests: the sum over its root fields, so that REST and GraphQL cost the same. */
import { type FieldNode, Kind, OperationTypeNode, type SelectionSetNode, TypeNameMetaFieldDef } from 'graphql';
import { costOfField, figure } from '../catalogue/field-cost.ts';
import {
  argumentsOf,
  findOperation,
  hasVariables,
  oncePerOperation,
  type ReadOperation,
  readDocument,
  SCHEMA_FIELDS,
  type Variables,
  variablesOf,
} from './operation.ts';
import { schema } from './schema.ts';

/** The number of root fields of the access class `keyed`, which need a key and are free. */
export function keyedFieldsOf(query: string, operationName: string | null | undefined): number {
  const operation = findOperation(readDocument(query), operationName);
  return operation ? countKeyed(operation) : 0;
}

const countKeyed = oncePerOperation(
  (operation) =>
    [...rootFields(operation).values()].filter((field) => costOfField(fieldOf(operation, field)).isKeyed).length,
);

/** The name of a root field that must be the only one but is not, if there is one. `__typename` cannot fail, so it may stand beside it. */
export const crowdedFieldOf = oncePerOperation((operation): string | undefined => {
  const fields = [...rootFields(operation).values()].filter(({ name }) => name.value !== TypeNameMetaFieldDef.name);
  if (fields.length < 2) return undefined;
  return fields.find((field) => costOfField(fieldOf(operation, field)).isAlone)?.name.value;
});

/** The price in requests; 0 if all root fields are free. An unreadable document costs 1, like a REST request with a 400 response. */
export function costOf(query: string, operationName: string | null | undefined, variables: Variables = {}): number {
  const operation = findOperation(readDocument(query), operationName);
  return operation ? pricerOf(operation)(variablesOf(operation, variables)) : 1;
}

/** Compiles the price of an operation, once, into a function of its variables. */
const pricerOf = oncePerOperation((operation): ((variables: Variables) => number) => {
  const fields = [...rootFields(operation).values()];
  if (operation.operation.operation === OperationTypeNode.SUBSCRIPTION || fields.length === 0) return () => 1;
  const price = (field: FieldNode, variables: Variables) => priceOf(operation, field, variables);
  const fixed = fields.filter((field) => !hasVariables(field)).reduce((sum, field) => sum + price(field, {}), 0);
  const depending = fields.filter(hasVariables);
  return (variables) => depending.reduce((sum, field) => sum + price(field, variables), fixed);
});

/** The declaration of a root field. */
const fieldOf = ({ operation }: ReadOperation, { name }: FieldNode) =>
  schema().getRootType(operation.operation)?.getFields()[name.value];

function priceOf(operation: ReadOperation, field: FieldNode, variables: Variables): number {
  const name = field.name.value;
  if (SCHEMA_FIELDS.has(name) || name === TypeNameMetaFieldDef.name) return 0;
  const { requests = 1 } = costOfField(fieldOf(operation, field));
  return figure(requests, argumentsOf(field, variables));
}

/** The root fields by their names in the response, where the same name twice is one field. Each fragment is visited once. */
export function rootFields({ operation, fragments }: ReadOperation): Map<string, FieldNode> {
  const fields = new Map<string, FieldNode>();
  const visited = new Set<string>();
  const collect = (selectionSet: SelectionSetNode) => {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        fields.set(selection.alias?.value ?? selection.name.value, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return fields;
}
