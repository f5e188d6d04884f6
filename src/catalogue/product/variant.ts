/** The variants of a product: the products that shops list in one group with it (`item_group_id`), such as its other sizes and colours. */
import { present } from '../../database/batch.ts';
import { encodeId } from '../../values/id.ts';
import { invalid } from '../arguments.ts';
import { builder, type Context, numberOf } from '../builder.ts';
import { type ArgumentOf, cost, wholeArgument } from '../field-cost.ts';
import { productUrl } from '../market.ts';
import { AvailabilityType } from '../offer/offer.ts';
import { type Tag, tagOf } from '../tags.ts';
import { attributesOf, type ProductAttribute } from './attributes.ts';
import type { ProductRow } from './columns.ts';
import { Identifier, identifierSet } from './identifier.ts';
import { PriceStats } from './price-stats.ts';
import { Attribute, Product } from './product.ts';
import { readIdentifiers } from './read-identifiers.ts';
import { BEST_FIRST, MOST_OF_ONE_SHOP, MOST_VARIANTS, tagsOfGroups, type VariantRow } from './read-variants.ts';

/** A variant with those of its attributes that differ among the variants. */
type Variant = VariantRow & { differs: ProductAttribute[] };

const Variant = builder.objectRef<Variant>('Variant').implement({
  description: 'A product of which shops say that it is a variant of another one, such as another size or colour.',
  fields: (t) => ({
    id: t.id({ description: 'The opaque id of the product.', resolve: ({ id }) => encodeId('product', id) }),
    slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    identifier: t.field({
      type: Identifier,
      description: 'The primary identifier of each kind.',
      resolve: ({ identifiers, mpn }) => identifierSet(readIdentifiers(identifiers), mpn),
    }),
    image: t.exposeString('imageUrl', { nullable: true, description: 'The URL of a picture.' }),
    url: t.string({
      description: 'The URL of the product.',
      resolve: (variant, _arguments, { market }) => productUrl(market, variant),
    }),
    priceStats: t.field({
      type: PriceStats,
      description: 'Price statistics of the current offers.',
      resolve: (variant) => variant,
    }),
    availability: t.field({
      type: AvailabilityType,
      nullable: true,
      description:
        'The best availability of its current offers: in stock, then preorder, then backorder; null without an offer.',
      resolve: ({ availability }) => (availability === null ? null : BEST_FIRST[availability]),
    }),
    differs: t.field({
      type: [Attribute],
      ...cost({ items: 4 }),
      description:
        'Its attributes that are not the same for the product and all its variants, such as colour and size; empty if none differs.',
      resolve: ({ differs }) => differs,
    }),
    product: t.field({
      type: Product,
      description: 'The product with all its details.',
      resolve: async ({ id }, _arguments, { loaders }) => present(await loaders.product.load(id)),
    }),
  }),
});

// Its statements read all variants, however few are asked for.
const WEIGHT = MOST_VARIANTS;
const variantsAsked = (argument: ArgumentOf): number => wholeArgument(argument('first'), MOST_VARIANTS, MOST_VARIANTS);

builder.objectField(Product, 'variants', (t) =>
  t.field({
    type: [Variant],
    ...cost({ weight: WEIGHT, items: variantsAsked }),
    description: `The other products that the shop that founded this one, or two shops, list in one group with it (\`item_group_id\`), in the order in which they were found. Of those that only one shop sells, the first ${MOST_OF_ONE_SHOP} are listed. Groups of more than 100 products are left out.`,
    args: {
      first: t.arg.int({
        defaultValue: MOST_VARIANTS,
        description: `The number of variants, 1 to ${MOST_VARIANTS}. A product has at most ${MOST_VARIANTS}.`,
      }),
    },
    resolve: async (product: ProductRow, { first }, context) => {
      const most = first ?? MOST_VARIANTS;
      if (most < 1 || most > MOST_VARIANTS) {
        throw invalid('first', `\`first\` must be 1 to ${MOST_VARIANTS}; got ${most}.`);
      }
      return (await readVariants(product, context)).slice(0, most);
    },
  }),
);

/** What the variants of a product depend on: the groups, and the products in them. @param id of the product. */
export async function tagsOfVariants(id: string, { loaders }: Context): Promise<Tag[]> {
  const groups = await loaders.groupsOfProduct.load(numberOf('product', id));
  return groups ? [...tagsOfGroups(groups), ...groups.others.map((other) => tagOf('product', other.id))] : [];
}

async function readVariants(product: ProductRow, { loaders }: Context): Promise<Variant[]> {
  const { founder, others } = present(await loaders.groupsOfProduct.load(product.id));
  const rows = await Promise.all(
    others.map(async ({ id, isFounders }) => {
      const row = await loaders.variant.load(id);
      return row && fits(row, product, isFounders && row.merchantId === founder) ? row : undefined;
    }),
  );
  const fitting = rows.filter((row) => row !== undefined);
  // `popularity` is the number of shops.
  const surplus = new Set(fitting.filter(({ popularity }) => popularity <= 1).slice(MOST_OF_ONE_SHOP));
  const variants = fitting.filter((row) => !surplus.has(row));
  const differing = differingNames([product, ...variants].map(({ attributes }) => attributesOf(attributes) ?? []));
  return variants.map((row) => ({
    ...row,
    differs: (attributesOf(row.attributes) ?? []).filter(({ name }) => differing.has(name)),
  }));
}

/**
 * Goods of two brands are no variants, whatever shops say. A missing brand says nothing, so without one only the shop that founded both
 * products can state it.
 */
const fits = ({ brandId }: VariantRow, product: ProductRow, isWithinShop: boolean) =>
  brandId === null || product.brandId === null ? isWithinShop : brandId === product.brandId;

/** The attributes of which products state several values. A shop's `black` is another one's `Black`. */
function differingNames(products: readonly (readonly ProductAttribute[])[]): ReadonlySet<string> {
  const values = new Map<string, string>();
  const differing = new Set<string>();
  for (const { name, value } of products.flat()) {
    const known = values.get(name);
    const lower = value.toLowerCase();
    if (known === undefined) values.set(name, lower);
    else if (known !== lower) differing.add(name);
  }
  return differing;
}
