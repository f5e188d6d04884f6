/** Finds what filters and arguments name by slug or id. */
import { decodeId } from '../../values/id.ts';
import { isSlug } from '../../values/slug.ts';
import type { Context } from '../builder.ts';
import { withAllBelow } from '../category/category-tree.ts';

/** The ids of a category and all its descendants; `undefined` for an unknown slug or id. */
export async function findCategories(
  slugOrId: string,
  { loaders }: Pick<Context, 'loaders'>,
): Promise<bigint[] | undefined> {
  const category = (await loaders.categoryTree()).find(slugOrId);
  return category && withAllBelow(category);
}

/** A brand by slug or id. */
export async function findBrand(slugOrId: string, { loaders }: Pick<Context, 'loaders'>) {
  const id = decodeId('brand', slugOrId);
  if (id !== undefined) return loaders.brandAsked.load(id);
  return isSlug(slugOrId) ? loaders.brandBySlug.load(slugOrId) : undefined;
}

/** The number of a merchant by slug or id. An id is not checked, since no row has the number of an unknown one. */
export async function findMerchant(slugOrId: string, { loaders }: Pick<Context, 'loaders'>) {
  const id = decodeId('merchant', slugOrId);
  if (id !== undefined || !isSlug(slugOrId)) return id;
  return (await loaders.merchantBySlug.load(slugOrId))?.id;
}

/** The merchant with a slug or id; `undefined` if there is none. */
export async function loadMerchant(slugOrId: string, { loaders }: Pick<Context, 'loaders'>) {
  const id = decodeId('merchant', slugOrId);
  if (id !== undefined) return loaders.merchantAsked.load(id);
  return isSlug(slugOrId) ? loaders.merchantBySlug.load(slugOrId) : undefined;
}
