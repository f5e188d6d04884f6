/** JSON Schemas of whole bodies: what a row's document answers, in the shape that the row gives it. */
import { schema } from '../graphql/schema.ts';
import { type JsonSchema, schemaOfDocument } from './openapi-schema.ts';
import type { GraphqlSource } from './route.ts';

/**
 * The JSON Schema of a row's body.
 *
 * @param components takes the schemas that it refers to, but for {@link PAGE_SCHEMAS}.
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

/** Whether the answer says how long the whole list is. */
export function isCounted({ document }: GraphqlSource): boolean {
  return /\btotalCount\b/.test(document);
}

/** What lists with pages say of the page. */
export const PAGE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Page: {
    type: 'object',
    description: 'Which part of a list this is.',
    required: ['limit'],
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'The most items that the page holds.' },
      nextCursor: { type: 'string', description: 'For `cursor`, to get the next page; absent on the last one.' },
    },
  },
  CountedPage: {
    allOf: [
      { $ref: '#/components/schemas/Page' },
      {
        type: 'object',
        required: ['total'],
        properties: {
          total: { type: 'integer', minimum: 0, maximum: 10_000, description: 'How many items the list has.' },
          totalIsExact: {
            type: 'boolean',
            const: false,
            description: 'There where `total` is 10000 because there are more.',
          },
        },
      },
    ],
  },
};
