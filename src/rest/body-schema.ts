/** JSON Schemas of response bodies: the result of a route's document, in the route's shape. */
import { schema } from '../graphql/schema.ts';
import { type JsonSchema, schemaOfDocument } from './openapi-schema.ts';
import type { GraphqlSource } from './route.ts';

/**
 * The JSON Schema of a route's body.
 *
 * @param components collects the schemas that it refers to, except {@link PAGE_SCHEMAS}.
 */
export function bodySchema(source: GraphqlSource, components: Record<string, JsonSchema>): JsonSchema {
  const { shape } = source;
  const path = shape === 'page' ? ['nodes'] : shape === 'whole' ? [] : [shape.member];
  const data = schemaOfDocument(schema(), source.document, path, components, source);
  const page = { $ref: `#/components/schemas/${isCounted(source) ? 'CountedPage' : 'Page'}` };
  return {
    type: 'object',
    required: shape === 'page' ? ['data', 'page'] : ['data'],
    properties: { data, ...(shape === 'page' && { page }) },
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
