/** Derives the column lists of hand-written statements from the selection that an entity declares. */
import { TABLES } from '../generated/columns.ts';

type Tables = typeof TABLES;

/** A Prisma selection of scalar fields only. */
type Selection<Model extends keyof Tables> = Partial<Record<keyof Tables[Model]['columns'], true>>;

/** The SELECT list for a selection such as `{ brandId: true }`, with each column named after its field: `brand_id AS "brandId"`. */
export function columnsOf<Model extends keyof Tables>(model: Model, selection: Selection<Model>): string {
  const { table, columns } = TABLES[model] as { table: string; columns: Readonly<Record<string, string>> };
  return Object.keys(selection)
    .map((field) => {
      const column = columns[field];
      return column === field ? `${table}.${column}` : `${table}.${column} AS "${field}"`;
    })
    .join(', ');
}
