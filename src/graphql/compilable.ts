/** Decides which operations of clients may be compiled, and how large their code is. */
import {
  type DirectiveNode,
  type FieldNode,
  type GraphQLField,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { costOfField } from '../catalogue/field-cost.ts';
import { oncePerOperation } from './operation.ts';
import { schema } from './schema.ts';

/** The size of an operation that may not be compiled. */
const NEVER = Number.POSITIVE_INFINITY;

/**
 * The number of fields in the code of a valid operation, in which each spread of a fragment is written out; infinite if it must not
 * be compiled:
 * - Nothing but names and numbers may pass from a client's text into code. graphql-jit puts string literals into it in a form that a
 *   string can break out of, so an operation with a string literal is not compiled. Its clients should use variables.
 * - graphql-jit differs from the specification in directives on merged fields, and in names that JavaScript treats specially.
 * - It identifies the place of a field by joining names with underscores, so these may not occur in aliases.
 * - Interfaces and introspection run on graphql-js.
 * - If compiled code reports errors, graphql-js may run the operation again, which would charge a second time for what a field finds.
 */
export const sizeToCompile = oncePerOperation(({ operation, fragments }): number => {
  const sizes = new Map<string, number>();

  const ofSelections = ({ selections }: SelectionSetNode, typeName: string): number => {
    const type = schema().getType(typeName);
    if (!isObjectType(type)) return NEVER;
    const fields = type.getFields();
    let size = 0;
    for (const selection of selections) {
      if (hasDirectives(selection)) return NEVER;
      if (selection.kind === Kind.FIELD) size += ofField(selection, fields[selection.name.value]);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) size += ofFragment(selection.name.value);
      else size += ofSelections(selection.selectionSet, selection.typeCondition?.name.value ?? typeName);
    }
    return size;
  };

  const ofFragment = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    sizes.set(name, NEVER); // For a fragment that spreads itself.
    const fragment = fragments.get(name);
    const isPlain = fragment && !hasDirectives(fragment);
    const size = isPlain ? ofSelections(fragment.selectionSet, fragment.typeCondition.name.value) : NEVER;
    sizes.set(name, size);
    return size;
  };

  const ofField = ({ name, alias, arguments: given, selectionSet }: FieldNode, field: Field | undefined): number => {
    if (alias?.value.includes('_') || given?.some(({ value }) => hasText(value))) return NEVER;
    if (name.value === TypeNameMetaFieldDef.name) return 1;
    if (!field || costOfField(field).chargesMore) return NEVER;
    return 1 + (selectionSet ? ofSelections(selectionSet, getNamedType(field.type).name) : 0);
  };

  const { variableDefinitions = [], selectionSet } = operation;
  const arePlain = variableDefinitions.every(
    (each) =>
      !hasDirectives(each) &&
      !each.variable.name.value.startsWith('_') &&
      !(each.defaultValue && hasText(each.defaultValue)),
  );
  const root = schema().getRootType(operation.operation);
  return root && arePlain && !hasDirectives(operation) ? ofSelections(selectionSet, root.name) : NEVER;
});

type Field = GraphQLField<unknown, unknown>;

const hasDirectives = ({ directives }: { directives?: readonly DirectiveNode[] | undefined }) =>
  directives !== undefined && directives.length > 0;

function hasText(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some(hasText);
  if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasText(field.value));
  return value.kind === Kind.STRING;
}
