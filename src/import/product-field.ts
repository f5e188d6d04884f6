/** The shape of a product field that feeds may supply. `product-fields.ts` lists all of them. */
import type { CategoryWords } from './product-category.ts';

/** The category that a row's words name, if the tree has it. */
export type CategoryOf = (words: CategoryWords) => bigint | undefined;

/** A value of the staging table; `undefined` is stored as NULL. */
export type StagedValue = string | number | bigint | undefined;

/** A column of the staging table. */
export interface StagedColumn<Value> {
  name: string;
  type: 'TEXT' | 'BIGINT';
  /** What the column holds for a row's value. */
  of(value: Value, categoryOf: CategoryOf): StagedValue;
}

/** A column of `product`. */
export interface ProductColumn {
  name: string;
  /** SQL for its value, over the staged row `item` and the row's match `matched`. */
  sql: string;
  /** The type of the product's column, where the staged one differs. */
  cast?: 'jsonb';
}

/** @typeParam Name the names of the feed's fields that it is read from. @typeParam Value what {@link read} gives. */
export interface ProductField<Name extends string = string, Value = unknown> {
  /** Its name for operators, and in the table `product_field`. */
  name: string;
  /** The feed's fields that it is read from. */
  feedFields: readonly Name[];
  /** Those that a row may have several times: the first value counts. */
  repeatable?: readonly Name[];
  /** A row with a longer value, in characters, is rejected. Without it, `read` shortens or drops what is too long. */
  longest?: number;
  /** The value in a row, or `undefined` if it has none. */
  read(fields: { readonly [name in Name]?: string }): Value | undefined;
  staged: readonly StagedColumn<Value>[];
  /** Whether a staged column looks up categories. */
  needsCategories?: boolean;
  /** The product's columns, which are set together. The product lacks the field while the first one is NULL. */
  columns: readonly [ProductColumn, ...ProductColumn[]];
  /** The staged column with the words by which the field makes a product found. */
  words?: string;
  /** Whether a later feed supplies what the product lacks (by default); `product_field` then records the shop. */
  fillsGaps?: boolean;
}

/** Declares a field; infers the types that its members share. */
export function productField<const Name extends string, Value>(field: ProductField<Name, Value>) {
  return field;
}

/** The columns of a field that is stored as it is read, in one column of the same name in staging and in `product`. */
export function storedIn(
  name: string,
  type: StagedColumn<string>['type'],
): { staged: [StagedColumn<string>]; columns: [ProductColumn] } {
  return { staged: [{ name, type, of: (value) => value }], columns: [{ name, sql: `item.${name}` }] };
}

/** SQL that is true where a product lacks the field. @param product the table or its alias. */
export function isLacking({ columns: [{ name }] }: ProductField, product = 'product'): string {
  return `${product}.${name} IS NULL`;
}
