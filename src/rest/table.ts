/** Lists as tables. Columns come from the body's schema, not from its values, so that every page has the same, even an empty one. */
import { bodySchema, type JsonSchema } from './body-schema.ts';
import type { GraphqlSource } from './route.ts';

export type Cell = string | number | boolean | undefined;

export interface Table {
  /** Columns are named after members; nested names have dots: `priceStats.min`. */
  columns: readonly string[];
  /** The rows of a body, each with a cell per column; unknown values are `undefined`. */
  rowsOf(body: unknown): Cell[][];
}

type Members = Readonly<Record<string, unknown>>;

/** The CSV layout of a route's responses; `undefined` if they contain no list, or one of items of several kinds. */
export function tableOf(source: GraphqlSource): Table | undefined {
  // Changes are of several kinds, which have no columns in common.
  if (source.shape === 'stream') return undefined;
  const components: Record<string, JsonSchema> = {};
  const { data } = membersOf(bodySchema(source, components), components);
  const { recursive, table } = source;
  if (data?.type !== 'array') return table && 'rows' in table ? tableInside(table, data, components) : undefined;
  const without = table && 'without' in table ? table.without : [];
  const columns = columnsOf(data.items, components, [...without, ...(recursive === undefined ? [] : [recursive])]);
  const items = (body: unknown) => (body as { data: Members[] }).data;
  return recursive === undefined
    ? { columns: columns.map(nameOf), rowsOf: (body) => items(body).map((item) => cellsOf(item, columns)) }
    : {
        columns: [...columns.map(nameOf), 'parent.slug'],
        rowsOf: (body) => treeRows(items(body), columns, recursive, undefined),
      };
}

/** A table from a list inside the body, with the members to repeat in each row. */
function tableInside(
  { rows, beside }: Extract<GraphqlSource['table'], { rows: string }>,
  data: JsonSchema | undefined,
  components: Record<string, JsonSchema>,
): Table {
  const members = membersOf(data, components);
  const list = members[rows];
  if (list?.type !== 'array') throw new Error(`The response has no list ${rows} for its table.`);
  const columns = columnsOf(list.items, components);
  const repeated = beside.flatMap((name) => columnsOf({ properties: { [name]: members[name] } }, components));
  return {
    columns: [...columns, ...repeated].map(nameOf),
    rowsOf(body) {
      const { data } = body as { data: Members };
      const same = cellsOf(data, repeated);
      return (data[rows] as Members[]).map((item) => [...cellsOf(item, columns), ...same]);
    },
  };
}

/** The rows of a tree in depth-first order, each with the slug of its parent. */
function treeRows(items: readonly Members[], columns: readonly string[][], recursive: string, parent: Cell): Cell[][] {
  return items.flatMap((item) => [
    [...cellsOf(item, columns), parent],
    ...treeRows((item[recursive] ?? []) as Members[], columns, recursive, item.slug as Cell),
  ]);
}

const nameOf = (path: readonly string[]): string => path.join('.');

/** The paths of an item's values and lists of values. @param without members to leave out. */
function columnsOf(item: unknown, components: Record<string, JsonSchema>, without: readonly string[] = []): string[][] {
  return Object.entries(membersOf(item, components)).flatMap(([name, schema]) => {
    if (without.includes(name)) return [];
    const inside = columnsOf(schema, components, without);
    if (inside.length > 0) return inside.map((path) => [name, ...path]);
    if (Object.keys(membersOf(schema.items, components)).length > 0) {
      throw new Error(`The list ${name} does not fit into a row: declare the layout in the route's \`table\`.`);
    }
    return [[name]];
  });
}

/** An object's members with their schemas, with references resolved; empty if the schema is not of an object. */
function membersOf(schema: unknown, components: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const { $ref, allOf, properties } = (schema ?? {}) as {
    $ref?: string;
    allOf?: unknown[];
    properties?: Record<string, JsonSchema>;
  };
  if ($ref !== undefined) return membersOf(components[$ref.replace('#/components/schemas/', '')], components);
  return Object.assign({}, ...(allOf ?? []).map((part) => membersOf(part, components)), properties);
}

function cellsOf(item: Members, columns: readonly string[][]): Cell[] {
  return columns.map((path) => {
    let value: unknown = item;
    for (const name of path) value = (value as Members | undefined)?.[name];
    return Array.isArray(value) ? value.join(LIST_SEPARATOR) : ((value ?? undefined) as Cell);
  });
}

/** Separates the values of a list in one cell. */
const LIST_SEPARATOR = '|';
