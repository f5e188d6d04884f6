/** Products: the canonical items to which shops' offers are matched. */
import { present } from '../../database/batch.ts';
import { decodeId } from '../../values/id.ts';
import { isSlug } from '../../values/slug.ts';
import { Brand } from '../brand/brand.ts';
import { builder, type Context, nodeOf } from '../builder.ts';
import { Category, pathTo } from '../category/category.ts';
import { cost } from '../field-cost.ts';
import { productUrl } from '../market.ts';
import { firstOffers, OFFER_ARGUMENTS, Offer, offersAsked } from '../offer/offer.ts';
import { attributesOf, type ProductAttribute } from './attributes.ts';
import type { PRODUCT, ProductRow } from './columns.ts';
import { Identifier, Identifiers, identifierSet } from './identifier.ts';
import { PriceStats } from './price-stats.ts';
import { readIdentifiers } from './read-identifiers.ts';

export const Attribute = builder.objectRef<ProductAttribute>('Attribute').implement({
  description: 'A distinguishing property of a product.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name as in feeds, such as `color`.' }),
    value: t.exposeString('value', { description: 'The value, as the shop states it.' }),
  }),
});

/** The identifiers, which the statement of a list reads together with the products. */
const identifiersOf = ({ id, identifiers }: ProductRow, { identifiersOfProduct }: Context['loaders']) =>
  identifiers === undefined ? identifiersOfProduct.load(id) : readIdentifiers(identifiers);

export const Product = builder.prismaNode<'Product', [], unknown, typeof PRODUCT>('Product', {
  ...nodeOf('product'),
  description: 'A product, with the prices of all shops.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    brand: t.field({
      type: Brand,
      nullable: true,
      description: 'The brand; null if no shop states one.',
      resolve: ({ brandId }, _arguments, { loaders }) => (brandId === null ? null : loaders.brand.load(brandId)),
    }),
    brandName: t.string({
      nullable: true,
      description: 'The name of the brand; null if no shop states one.',
      resolve: ({ brandId, brandName }: ProductRow, _arguments, { loaders }) =>
        brandName !== undefined || brandId === null
          ? (brandName ?? null)
          : loaders.brand.load(brandId).then((brand) => brand?.name),
    }),
    category: t.field({
      type: Category,
      nullable: true,
      description: 'The most specific known category; null if none is known.',
      resolve: ({ categoryId }, _arguments, { loaders }) =>
        categoryId === null ? null : loaders.category.load(categoryId),
    }),
    categoryPath: t.field({
      type: [Category],
      ...cost({ items: 4 }),
      description: 'The path from the top category to the category of the product; empty if none is known.',
      resolve: async ({ categoryId }, _arguments, { loaders }) => {
        const category = categoryId === null ? undefined : await loaders.category.load(categoryId);
        return category ? pathTo(category) : [];
      },
    }),
    identifier: t.field({
      type: Identifier,
      description: 'The primary identifier of each kind.',
      resolve: async (product, _arguments, { loaders }) =>
        identifierSet(await identifiersOf(product, loaders), product.mpn),
    }),
    identifiers: t.field({
      type: Identifiers,
      description: 'All identifiers.',
      resolve: async (product, _arguments, { loaders }) => ({
        rows: await identifiersOf(product, loaders),
        mpn: product.mpn,
      }),
    }),
    description: t.exposeString('description', { nullable: true, description: 'The description in plain text.' }),
    attributes: t.field({
      type: [Attribute],
      ...cost({ items: 4 }),
      nullable: true,
      description: 'Distinguishing properties such as colour and size; null if no shop states any.',
      resolve: ({ attributes }) => attributesOf(attributes),
    }),
    image: t.exposeString('imageUrl', { nullable: true, description: 'The URL of a picture.' }),
    url: t.string({
      description: 'The URL of the product.',
      resolve: (product, _arguments, { market }) => productUrl(market, product),
    }),
    priceStats: t.field({
      type: PriceStats,
      description: 'Price statistics of the current offers.',
      resolve: (product) => product,
    }),
    offers: t.field({
      type: [Offer],
      ...cost({ items: offersAsked }),
      description: 'The current offers, cheapest first, then by shop name.',
      args: OFFER_ARGUMENTS,
      resolve: async (product, asked, context) =>
        firstOffers(await context.loaders.offersOfProduct.load(product.id), asked, context),
    }),
    discount: t.float({
      description: 'The discount of the lowest total price from its 90-day average, in percent; 0 if it is not below.',
      resolve: ({ discount }) => discount / 100,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'The time of first observation.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'The time of the last change of the product or one of its offers.',
    }),
  }),
});

builder.objectField(Offer, 'product', (t) =>
  t.field({
    type: Product,
    description: 'The offered product.',
    resolve: async (offer, _arguments, { loaders }) => present(await loaders.product.load(offer.productId)),
  }),
);

/** Finds a product by id or slug. */
export async function findProduct(idOrSlug: string, { loaders }: Context): Promise<ProductRow | undefined> {
  const number = decodeId('product', idOrSlug);
  if (number !== undefined) return loaders.product.load(number);
  return isSlug(idOrSlug) ? loaders.productBySlug.load(idOrSlug) : undefined;
}

builder.queryField('product', (t) =>
  t.field({
    type: Product,
    nullable: true,
    description: 'A product by its id or slug; null if there is none.',
    args: { id: t.arg.id({ required: true, description: 'The id or the slug of the product.' }) },
    resolve: (_root, { id }, context) => findProduct(id, context),
  }),
);
