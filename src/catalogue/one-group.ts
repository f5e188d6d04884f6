/** The group of products that figures for analysts describe: a category with all categories below it, a brand, or a merchant. */
import { invalid } from './arguments.ts';
import type { BrandRow } from './brand/read-brands.ts';
import type { Context } from './builder.ts';
import type { CategoryNode } from './category/category-tree.ts';
import type { MerchantRow } from './merchant/read-merchants.ts';
import { findBrand, loadMerchant } from './product/find-by-slug.ts';

/** The slugs or ids of groups, of which a client sends one. */
export type GroupArguments = Partial<Record<'category' | 'brand' | 'merchant', string | number | null | undefined>>;

export type Group =
  | { kind: 'category'; row: CategoryNode }
  | { kind: 'brand'; row: BrandRow }
  | { kind: 'merchant'; row: MerchantRow };

/**
 * Finds the group; `undefined` if it is unknown.
 * @param kinds the arguments that the field has.
 * @throws {Problem} `invalid_parameter` unless exactly one is sent.
 */
export async function findGroup(
  kinds: readonly Group['kind'][],
  given: GroupArguments,
  context: Context,
): Promise<Group | undefined> {
  const [kind, second] = kinds.filter((each) => given[each] != null);
  if (kind === undefined || second !== undefined) {
    const names = kinds.map((each) => `\`${each}\``);
    const list = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
    throw invalid(second ?? kinds[0] ?? 'category', `Send exactly one of ${list}.`);
  }
  return find(kind, String(given[kind]), context);
}

async function find(kind: Group['kind'], slugOrId: string, context: Context): Promise<Group | undefined> {
  if (kind === 'category') {
    const row = (await context.loaders.categoryTree()).find(slugOrId);
    return row && { kind, row };
  }
  if (kind === 'brand') {
    const row = await findBrand(slugOrId, context);
    return row && { kind, row };
  }
  const row = await loadMerchant(slugOrId, context);
  return row && { kind, row };
}
