/**
 * Lists as tables: which columns an answer has, and its rows. Columns come from the body's schema, not from what it holds, so
 * that they are the same on every page and on an empty one.
 */
import { bodySchema } from './body-schema.ts';
import type { JsonSchema } from './openapi-schema.ts';
import type { GraphqlSource } from './route.ts';

export type Cell = string | number | boolean | undefined;

export interface Table {
  /** Columns are named as members are, nested ones with dots: `priceStats.min`. */
  columns: readonly string[];
  /** The rows of a body, each with a cell for each column; what is not known is `undefined`. */
  rowsOf(body: unknown): Cell[][];
}

type Members = Readonly<Record<string, unknown>>;

/** The table that the answers of a row of REST's table can be written as; `undefined` when they are no list. */
export function tableOf(source: GraphqlSource): Table | undefined {
  const components: Record<string, JsonSchema> = {};
  const { data } = membersOf(bodySchema(source, components), components);
  if (data?.type !== 'array') return source.table && tableInside(source.table, data, components);
  const { recursive } = source;
  const columns = columnsOf(data.items, components, recursive);
  const items = (body: unknown) => (body as { data: Members[] }).data;
  return recursive === undefined
    ? { columns: columns.map(nameOf), rowsOf: (body) => items(body).map((item) => cellsOf(item, columns)) }
    : {
        columns: [...columns.map(nameOf), 'parent.slug'],
        rowsOf: (body) => treeRows(items(body), columns, recursive, undefined),
      };
}

/** A table in the midst of an answer, with what stands beside it in each of its rows. */
function tableInside(
  { rows, beside }: NonNullable<GraphqlSource['table']>,
  data: JsonSchema | undefined,
  components: Record<string, JsonSchema>,
): Table {
  const list = membersOf(data, components)[rows];
  if (list?.type !== 'array') throw new Error(`There is no list ${rows} to make a table of.`);
  const columns = columnsOf(list.items, components);
  const repeated = beside.map((name) => [name]);
  return {
    columns: [...columns, ...repeated].map(nameOf),
    rowsOf(body) {
      const { data } = body as { data: Members };
      const same = cellsOf(data, repeated);
      return (data[rows] as Members[]).map((item) => [...cellsOf(item, columns), ...same]);
    },
  };
}

/** A tree from the top down, each branch to its end before the next one, with the slug of what each item stands in. */
function treeRows(items: readonly Members[], columns: readonly string[][], recursive: string, parent: Cell): Cell[][] {
  return items.flatMap((item) => [
    [...cellsOf(item, columns), parent],
    ...treeRows((item[recursive] ?? []) as Members[], columns, recursive, item.slug as Cell),
  ]);
}

const nameOf = (path: readonly string[]): string => path.join('.');

/** The paths of what an item holds, down to single values and lists of such. @param without a member that is left out. */
function columnsOf(item: unknown, components: Record<string, JsonSchema>, without?: string): string[][] {
  return Object.entries(membersOf(item, components)).flatMap(([name, schema]) => {
    if (name === without) return [];
    const inside = columnsOf(schema, components);
    if (inside.length > 0) return inside.map((path) => [name, ...path]);
    if (Object.keys(membersOf(schema.items, components)).length > 0) {
      throw new Error(`The list ${name} has no place in a row: say how a table is to hold it.`);
    }
    return [[name]];
  });
}

/** An object's members with their schemas, wherever these are written; none of what is no object. */
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

/** Between the values of a list that stands in one cell. */
const LIST_SEPARATOR = '|';
