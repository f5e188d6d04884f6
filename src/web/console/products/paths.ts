/** The paths of the pages of products, and the product of a path. */
import { Problem } from '../../../problem.ts';
import { decodeId } from '../../../values/id.ts';
import { printable } from '../../../values/printable.ts';
import type { Visit } from '../visit.ts';

export const PRODUCTS_PATH = '/console/products';

/** @param id such as `prd_1`. */
export const productPath = (id: string): string => `${PRODUCTS_PATH}/${id}`;

/** The product of the path. @throws {Problem} `not_found` for a text that is no product's id. */
export function idOf({ values: { id = '' } }: Visit): { id: string; number: bigint } {
  const number = decodeId('product', id);
  if (number !== undefined) return { id, number };
  const detail = `No product has the id ${printable(id).slice(0, 60)}: search for it in the list of products.`;
  throw new Problem('not_found', detail);
}
