/** Describes the REST routes that are tools. All schemas are those of the description of the API. */
import type { Tool } from '@modelcontextprotocol/server';
import { bodySchema, type JsonSchema, PAGE_SCHEMAS } from '../rest/body-schema.ts';
import { describeParameters } from '../rest/parameters.ts';
import { describeBody } from '../rest/request-body.ts';
import { type Route, toolNameOf } from '../rest/route.ts';
import { ROUTES } from '../rest/routes.ts';

/** The routes that are tools, by tool name. */
export const TOOL_ROUTES: ReadonlyMap<string, Route> = new Map(
  ROUTES.filter(({ tool }) => tool !== undefined).map((route) => [toolNameOf(route), route]),
);

let described: readonly Tool[] | undefined;

/** The tools as `tools/list` gives them. */
export function tools(): readonly Tool[] {
  described ??= [...TOOL_ROUTES].map(([name, route]) => ({
    name,
    title: route.summary,
    description: route.tool,
    inputSchema: inputSchema(route),
    outputSchema: outputSchema(route),
    annotations: { title: route.summary, readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  }));
  return described;
}

function inputSchema({ parameters, asTool, body }: Route): Tool['inputSchema'] {
  if (body) return bodySchemaOf(body, asTool) as Tool['inputSchema'];
  const described = describeParameters(parameters).filter(({ name }) => !asTool?.without.includes(name));
  const required = described.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = described.map(({ name, schema, description, example }) => [
    name,
    {
      ...schema,
      ...(asTool?.defaults[name] !== undefined && { default: asDefault(schema, asTool.defaults[name]) }),
      description,
      ...(example !== undefined && { examples: [example] }),
    },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema of a body, with the defaults that it has as a tool. */
function bodySchemaOf(body: NonNullable<Route['body']>, asTool: Route['asTool']): JsonSchema {
  const schema = describeBody(body);
  const properties = schema.properties as Record<string, JsonSchema>;
  for (const [name, text] of Object.entries(asTool?.defaults ?? {}))
    properties[name] = { ...properties[name], default: Number(text) };
  return schema;
}

const asDefault = ({ type }: JsonSchema, text: string) => (type === 'integer' ? Number(text) : text);

const NEXT: JsonSchema = {
  type: 'array',
  description: 'Useful next tool calls, with their arguments.',
  items: {
    type: 'object',
    required: ['tool', 'arguments'],
    properties: {
      tool: { type: 'string', enum: [...TOOL_ROUTES.keys()] },
      arguments: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
};

/** The body's schema, including all schemas that it refers to. */
function outputSchema({ source, path }: Route): NonNullable<Tool['outputSchema']> {
  if (!('document' in source)) throw new Error(`${path} has no GraphQL document, so it cannot be a tool.`);
  const components: Record<string, JsonSchema> = {};
  const { required, properties } = bodySchema(source, components);
  const schema = {
    type: 'object',
    required: source.links ? [...(required as string[]), 'next'] : required,
    properties: { ...(properties as JsonSchema), ...(source.links && { next: NEXT }) },
    $defs: { ...components, ...((source.shape === 'page' || source.shape === 'stream') && PAGE_SCHEMAS) },
  };
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'));
}
