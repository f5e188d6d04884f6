/**
 * JSON Schemas of response bodies: the results of the routes' documents, in the routes' shapes. Types, nullability and descriptions
 * come from the GraphQL schema, so the description of the API agrees with it. A named fragment becomes a schema with the same name.
 */
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLEnumType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { schema } from '../graphql/schema.ts';
import { type GraphqlSource, isPage } from './route.ts';

export type JsonSchema = Record<string, unknown>;

/** The JSON Schema of a route's body. @param components collects those of fragments and enums, except {@link PAGE_SCHEMAS}. */
export function bodySchema(source: GraphqlSource, components: Record<string, JsonSchema>): JsonSchema {
  const isPaged = isPage(source);
  const data = dataSchema(source, components);
  const name = source.shape === 'stream' ? 'StreamPage' : isCounted(source) ? 'CountedPage' : 'Page';
  const page = { $ref: `#/components/schemas/${name}` };
  return {
    type: 'object',
    required: isPaged ? ['data', 'page'] : ['data'],
    properties: { data, ...(isPaged && { page }) },
  };
}

/** Whether the response includes the length of the whole list. */
export function isCounted({ document }: GraphqlSource): boolean {
  return /\btotalCount\b/.test(document);
}

/** The schemas of `page` in paginated responses. */
export const PAGE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Page: {
    type: 'object',
    description: 'The position of this page in the list.',
    required: ['limit'],
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'The maximum number of items on the page.' },
      nextCursor: { type: 'string', description: 'The `cursor` of the next page; absent on the last page.' },
    },
  },
  StreamPage: {
    type: 'object',
    description: 'The position of this page in a list without an end.',
    required: ['limit', 'nextCursor', 'hasMore'],
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 1_000, description: 'The maximum number of items on the page.' },
      nextCursor: { type: 'string', description: 'The `cursor` to continue with, on an empty page, too.' },
      hasMore: { type: 'boolean', description: 'Whether more can be read now. Without more, ask again later.' },
    },
  },
  CountedPage: {
    allOf: [
      { $ref: '#/components/schemas/Page' },
      {
        type: 'object',
        required: ['total'],
        properties: {
          total: { type: 'integer', minimum: 0, maximum: 10_000, description: 'The number of items in the list.' },
          totalIsExact: {
            type: 'boolean',
            const: false,
            description: 'Present if the list has more than 10000 items; `total` is then 10000.',
          },
        },
      },
    ],
  },
};

interface Derivation extends Pick<GraphqlSource, 'nullable' | 'recursive'> {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  components: Record<string, JsonSchema>;
}

/** The schema of `data`: of the root field, or of the member that the shape takes from it. */
function dataSchema(
  { document, shape, ...options }: GraphqlSource,
  components: Record<string, JsonSchema>,
): JsonSchema {
  const { definitions } = parse(document);
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const path = pathOf(shape);
  const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  let selectionSet = operation?.selectionSet;
  let type: GraphQLOutputType | null | undefined = operation && schema().getRootType(operation.operation);
  for (const name of ['data', ...path]) {
    const field = selectionSet && fieldsOf(selectionSet).find((each) => nameOf(each) === name);
    const parent: GraphQLOutputType | null | undefined = isNonNullType(type) ? type.ofType : type;
    if (!field || !isObjectType(parent)) throw new Error(`The document selects no ${name}: ${document}`);
    type = definitionOf(parent, field).type;
    selectionSet = field.selectionSet;
  }
  if (!type) throw new Error('The schema has no queries.');
  return typeSchema(type, selectionSet, { ...options, fragments, components });
}

/** The members that lead from the root field to `data`. */
function pathOf(shape: GraphqlSource['shape']): string[] {
  if (typeof shape === 'object') return 'page' in shape ? [shape.page, 'nodes'] : [shape.member];
  return shape === 'page' || shape === 'stream' ? ['nodes'] : [];
}

const SCALARS: Record<string, JsonSchema> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Day: { type: 'string', format: 'date' },
};

function typeSchema(
  type: GraphQLOutputType,
  selectionSet: SelectionSetNode | undefined,
  derivation: Derivation,
): JsonSchema {
  if (isNonNullType(type)) return typeSchema(type.ofType, selectionSet, derivation);
  if (isListType(type)) return { type: 'array', items: typeSchema(type.ofType, selectionSet, derivation) };
  if (isEnumType(type)) return enumSchema(type, derivation);
  if (isObjectType(type) && selectionSet) return objectSchema(type, selectionSet, derivation);
  // A fragment for each of its types.
  if (isUnionType(type) && selectionSet) return { anyOf: fragmentsOf(selectionSet, derivation) };
  const scalar = SCALARS[type.name];
  if (!scalar) throw new Error(`The scalar ${type.name} has no JSON Schema.`);
  return { ...scalar };
}

function objectSchema(type: GraphQLObjectType, selectionSet: SelectionSetNode, derivation: Derivation): JsonSchema {
  const spreads = spreadsOf(selectionSet);
  const fields = fieldsOf(selectionSet);
  const parts = fragmentsOf(selectionSet, derivation);
  const [fragment] = spreads;
  const recursion = fields.find((each) => nameOf(each) === derivation.recursive);
  if (recursion && fragment) return recursiveSchema(type, fragment.name.value, recursion, derivation);
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
    const definition = definitionOf(type, field);
    const isNullable = !isNonNullType(definition.type);
    const isShownAsNull = isNullable && derivation.nullable?.includes(name);
    if (!isNullable || isShownAsNull) required.push(name);
    const member = typeSchema(definition.type, field.selectionSet, derivation);
    properties[name] = {
      ...(isShownAsNull ? orNull(member) : member),
      // REST leaves out unknown values.
      ...describe(definition.description?.replace(/; null (if|for|without|in)/g, '; absent $1')),
    };
  }
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}

const orNull = (member: JsonSchema): JsonSchema =>
  Array.isArray(member.anyOf)
    ? { ...member, anyOf: [...member.anyOf, { type: 'null' }] }
    : { ...member, type: [member.type, 'null'] };

/** A schema that refers to itself. The document has to spell out each level; the schema does not. */
function recursiveSchema(
  type: GraphQLObjectType,
  fragment: string,
  recursion: FieldNode,
  derivation: Derivation,
): JsonSchema {
  const items = fragmentSchema(fragment, derivation);
  const { required, properties, ...rest } = derivation.components[fragment] ?? {};
  const name = nameOf(recursion);
  derivation.components[fragment] = {
    ...rest,
    required: [...new Set([...((required as string[]) ?? []), name])],
    properties: {
      ...(properties as JsonSchema),
      [name]: { type: 'array', items, ...describe(definitionOf(type, recursion).description) },
    },
  };
  return items;
}

function fragmentSchema(name: string, derivation: Derivation): JsonSchema {
  const fragment = derivation.fragments.get(name);
  const type = fragment && schema().getType(fragment.typeCondition.name.value);
  if (!fragment || !isObjectType(type)) throw new Error(`The fragment ${name} is not defined.`);
  derivation.components[name] ??= {
    ...objectSchema(type, fragment.selectionSet, derivation),
    ...describe(type.description),
  };
  return { $ref: `#/components/schemas/${name}` };
}

function enumSchema(type: GraphQLEnumType, { components }: Derivation): JsonSchema {
  const { name, description } = type;
  const values = type.getValues();
  components[name] ??= {
    type: 'string',
    enum: values.map((value) => value.name),
    description: [description, ...values.map((value) => `\`${value.name}\`: ${value.description}`)]
      .filter(Boolean)
      .join(' '),
  };
  return { $ref: `#/components/schemas/${name}` };
}

const describe = (description: string | null | undefined) => (description == null ? {} : { description });

const spreadsOf = ({ selections }: SelectionSetNode) => selections.filter((each) => each.kind === Kind.FRAGMENT_SPREAD);

/** The schemas of the fragments that a selection spreads. */
const fragmentsOf = (selectionSet: SelectionSetNode, derivation: Derivation): JsonSchema[] =>
  spreadsOf(selectionSet).map(({ name }) => fragmentSchema(name.value, derivation));

/** The fields that a selection has itself, outside fragments. */
const fieldsOf = ({ selections }: SelectionSetNode) => selections.filter((each) => each.kind === Kind.FIELD);

/** A field's name in the answer. */
const nameOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

function definitionOf(type: GraphQLObjectType, { name }: FieldNode) {
  const field = type.getFields()[name.value];
  if (!field) throw new Error(`${type.name} has no field ${name.value}.`);
  return field;
}
