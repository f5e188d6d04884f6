/** Computes how long the response to an introspection query would be, up to a limit: it follows the fields as execution would. */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import {
  argumentsOf,
  findOperation,
  type ReadOperation,
  readDocument,
  SCHEMA_FIELDS,
  type Variables,
} from './operation.ts';

/** The characters around a member (quotes, colon and comma), or around a list or an object (brackets). */
const AROUND = 4;
/** At least the length of a type's name with the characters around it. */
const LONGEST_TYPE_NAME = 40;

/** The length of the introspection part of a response, in characters of JSON; any number above `most` for a longer one. */
export function introspectionSize(
  schema: GraphQLSchema,
  { operation, fragments }: ReadOperation,
  variables: Variables,
  most: number,
): number {
  let size = 0;

  /** @param spread the fragments already spread in this selection: like execution, this visits each once. */
  const follow = (
    { selections }: SelectionSetNode,
    fieldNamed: (name: string) => GraphQLField<unknown, unknown> | undefined,
    source: unknown,
    spread = new Set<string>(),
  ): void => {
    for (const selection of selections) {
      if (size > most) return;
      // Even a selection without a result takes time, so it counts.
      size += 1;
      if (selection.kind === Kind.FIELD) {
        const field = fieldNamed(selection.name.value);
        if (field) followField(selection, field, source);
        else size += (selection.alias ?? selection.name).value.length + LONGEST_TYPE_NAME; // `__typename`, or nothing.
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        follow(selection.selectionSet, fieldNamed, source, spread);
      } else {
        const name = selection.name.value;
        const fragment = fragments.get(name);
        if (!fragment || spread.has(name)) continue;
        spread.add(name);
        follow(fragment.selectionSet, fieldNamed, source, spread);
      }
    }
  };

  const followField = (node: FieldNode, field: GraphQLField<unknown, unknown>, source: unknown): void => {
    size += (node.alias ?? node.name).value.length + AROUND;
    const argument = argumentsOf(node, variables);
    const given = Object.fromEntries(field.args.map(({ name }) => [name, argument(name)]));
    // The resolvers of introspection use nothing but the schema.
    const value = field.resolve?.(source, given, undefined, { schema } as GraphQLResolveInfo);
    followValue(node, field.type, value);
  };

  const followValue = (node: FieldNode, type: GraphQLOutputType, value: unknown): void => {
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      for (const item of (value ?? []) as Iterable<unknown>) {
        if (size > most) return;
        followValue(node, nullable.ofType, item);
      }
      return;
    }
    const named = getNamedType(type);
    size += typeof value === 'string' ? value.length + AROUND : AROUND;
    if (!isObjectType(named) || !node.selectionSet || value == null) return;
    const fields = named.getFields();
    follow(node.selectionSet, (name) => fields[name], value);
  };

  follow(operation.selectionSet, (name) => SCHEMA_FIELDS.get(name), undefined);
  return size;
}

/** Twice the length, in characters of JSON, of the response to the query of GraphiQL and code generators for the whole schema. */
export function longestIntrospection(schema: GraphQLSchema): number {
  const read = readDocument(
    getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    }),
  );
  const operation = findOperation(read, undefined);
  if (!operation) throw new Error('The introspection query of graphql-js cannot be parsed.');
  return 2 * introspectionSize(schema, operation, {}, Number.POSITIVE_INFINITY);
}
