/**
 * Derives JSON Schemas for the results of GraphQL documents. Types, nullability and descriptions come from the GraphQL schema, so the
 * description of the API agrees with it. A named fragment becomes a schema with the same name.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export type JsonSchema = Record<string, unknown>;

const SCALARS: Record<string, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Day: { type: 'string', format: 'date' },
};

interface Derivation {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Collects the schemas of fragments and enums. */
  components: Record<string, JsonSchema>;
  nullable: readonly string[];
  recursive: string | undefined;
}

export interface DocumentOptions {
  /** Members that are null instead of left out if they are unknown. */
  nullable?: readonly string[] | undefined;
  /** The member that contains more items of the same type. */
  recursive?: string | undefined;
}

/**
 * The JSON Schema of the result of a document's root field.
 *
 * @param components takes the schemas of the document's fragments and enums.
 * @param path members to go down from the root field, such as `['nodes']`.
 */
export function schemaOfDocument(
  schema: GraphQLSchema,
  document: string,
  path: readonly string[],
  components: Record<string, JsonSchema>,
  { nullable = [], recursive }: DocumentOptions = {},
): JsonSchema {
  const { definitions } = parse(document);
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  const query = schema.getQueryType();
  if (!operation || !query) throw new Error('The document has no operation.');
  const derivation: Derivation = { schema, fragments, components, nullable, recursive };
  let type: GraphQLObjectType = query;
  let selectionSet: SelectionSetNode | undefined = operation.selectionSet;
  let found: GraphQLOutputType | undefined;
  for (const name of ['data', ...path]) {
    const field: SelectionNode | undefined = selectionSet?.selections.find(
      (each) => each.kind === Kind.FIELD && nameOf(each) === name,
    );
    if (field?.kind !== Kind.FIELD) throw new Error(`The document selects no ${name}.`);
    found = fieldOf(type, field.name.value).type;
    type = getNamedType(found) as GraphQLObjectType;
    selectionSet = field.selectionSet;
  }
  if (!found) throw new Error('The document selects nothing.');
  return typeSchema(found, selectionSet, derivation);
}

function typeSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  derivation: Derivation,
): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType, selectionSet, derivation);
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, selectionSet, derivation) };
  if (isEnumType(type)) return enumSchema(type.name, derivation);
  if (isObjectType(type) && selectionSet) return objectSchema(type, selectionSet, derivation);
  const scalar = SCALARS[getNamedType(type).name];
  if (!scalar) throw new Error(`The scalar ${getNamedType(type).name} has no JSON Schema.`);
  return { ...scalar };
}

function objectSchema(type: GraphQLObjectType, { selections }: SelectionSetNode, derivation: Derivation): JsonSchema {
  const spreads = selections.flatMap((each) => (each.kind === Kind.FRAGMENT_SPREAD ? [each.name.value] : []));
  const fields = selections.filter((each) => each.kind === Kind.FIELD);
  const [fragment] = spreads;
  const recursion = fields.find((each) => nameOf(each) === derivation.recursive);
  if (recursion && fragment !== undefined) return recursiveSchema(type, fragment, recursion, derivation);
  const parts = spreads.map((name) => fragmentSchema(name, derivation));
  if (fields.length > 0) parts.push(membersSchema(type, fields, derivation));
  const [only, ...others] = parts;
  return only && others.length === 0 ? only : { allOf: parts };
}

function membersSchema(type: GraphQLObjectType, fields: readonly FieldNode[], derivation: Derivation): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of fields) {
    const name = nameOf(field);
    if (name.startsWith('_')) continue;
    const definition = fieldOf(type, field.name.value);
    const isNullable = !isNonNullType(definition.type);
    const isShownAsNull = isNullable && derivation.nullable.includes(name);
    if (!isNullable || isShownAsNull) required.push(name);
    const schema = typeSchema(definition.type, field.selectionSet, derivation);
    properties[name] = {
      ...(isShownAsNull ? { ...schema, type: [schema.type, 'null'] } : schema),
      ...(definition.description != null && { description: asMember(definition.description) }),
    };
  }
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}

/** REST leaves out unknown values. */
function asMember(description: string): string {
  return description.replace(/; null (when|without|for)/g, '; absent $1');
}

/** A schema that refers to itself. The document has to spell out each level; the schema does not. */
function recursiveSchema(
  type: GraphQLObjectType,
  fragment: string,
  recursion: FieldNode,
  derivation: Derivation,
): JsonSchema {
  const reference = fragmentSchema(fragment, derivation);
  const { required, properties, ...schema } = derivation.components[fragment] ?? {};
  const name = nameOf(recursion);
  const { description } = fieldOf(type, recursion.name.value);
  derivation.components[fragment] = {
    ...schema,
    required: [...new Set([...((required as string[]) ?? []), name])],
    properties: {
      ...(properties as JsonSchema),
      [name]: { type: 'array', items: reference, ...(description != null && { description }) },
    },
  };
  return reference;
}

function fragmentSchema(name: string, derivation: Derivation): JsonSchema {
  const fragment = derivation.fragments.get(name);
  const type = fragment && derivation.schema.getType(fragment.typeCondition.name.value);
  if (!fragment || !isObjectType(type)) throw new Error(`The fragment ${name} is not defined.`);
  if (!derivation.components[name]) {
    derivation.components[name] = {
      ...objectSchema(type, fragment.selectionSet, derivation),
      ...(type.description != null && { description: type.description }),
    };
  }
  return { $ref: `#/components/schemas/${name}` };
}

function enumSchema(name: string, { schema, components }: Derivation): JsonSchema {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`${name} is no enum.`);
  components[name] ??= {
    type: 'string',
    enum: type.getValues().map((value) => value.name),
    description: [type.description, ...type.getValues().map((value) => `\`${value.name}\`: ${value.description}`)]
      .filter(Boolean)
      .join(' '),
  };
  return { $ref: `#/components/schemas/${name}` };
}

/** A field's name in the answer. */
function nameOf(field: FieldNode): string {
  return (field.alias ?? field.name).value;
}

function fieldOf(type: GraphQLObjectType, name: string) {
  const field = type.getFields()[name];
  if (!field) throw new Error(`${type.name} has no field ${name}.`);
  return field;
}
