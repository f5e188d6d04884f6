/** Products: the canonical goods that shops' offers are matched to. */
import DataLoader from 'dataloader';
import { type Loader, shared } from '../database/batch.ts';
import type { Queryable } from '../database/database.ts';
import type { IdentifierKind, Product as ProductRow } from '../generated/prisma/client.ts';
import { Brand } from './brand.ts';
import { builder } from './builder.ts';
import { Category } from './category.ts';
import { decodeId, encodeId } from './id.ts';
import { Identifier, Identifiers, identifierSet } from './identifier.ts';
import { productUrl } from './market.ts';
import { Offer } from './offer.ts';
import { PriceStats } from './price-stats.ts';
import { isSlug } from './slug.ts';

/** A GTIN of 14 digits or an ASIN in capitals. */
export interface IdentifierKey {
  kind: IdentifierKind;
  value: string;
}

// By the unique index on product_identifier (kind, value), then by the primary key.
const PRODUCTS_BY_IDENTIFIER = `
  SELECT identifier.kind, identifier.value,
         product.id, product.slug, product.name, product.brand_id AS "brandId", product.category_id AS "categoryId",
         product.mpn, product.mpn_key AS "mpnKey", product.description, product.image_url AS "imageUrl", product.attributes,
         product.offer_count AS "offerCount", product.min_total AS "minTotal", product.max_total AS "maxTotal",
         product.lowest_ever AS "lowestEver", product.popularity,
         product.created_at AS "createdAt", product.updated_at AS "updatedAt"
  FROM unnest($1::text[], $2::text[]) AS asked (kind, value)
  JOIN product_identifier AS identifier ON identifier.kind = asked.kind::identifier_kind AND identifier.value = asked.value
  JOIN product ON product.id = identifier.product_id`;

/** Products by a GTIN or an ASIN. */
export function productsByIdentifier(database: Queryable): Loader<IdentifierKey, ProductRow | undefined> {
  return new DataLoader<IdentifierKey, ProductRow | undefined>(async (keys) => {
    const rows = await database.query<ProductRow & IdentifierKey>(PRODUCTS_BY_IDENTIFIER, [
      keys.map((key) => key.kind),
      keys.map((key) => key.value),
    ]);
    const byIdentifier = new Map(rows.map((row) => [`${row.kind} ${row.value}`, row]));
    return keys.map((key) => byIdentifier.get(`${key.kind} ${key.value}`));
  }, shared);
}

export const Product = builder.prismaObject('Product', {
  description: 'A product, with what all shops ask for it.',
  fields: (t) => ({
    id: t.id({ description: 'The opaque id of the product.', resolve: (product) => encodeId('product', product.id) }),
    slug: t.exposeString('slug', { description: 'The name in addresses; never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    brand: t.field({
      type: Brand,
      nullable: true,
      description: 'The brand; null when no shop names one.',
      resolve: ({ brandId }, _arguments, { loaders }) => (brandId === null ? null : loaders.brand.load(brandId)),
    }),
    brandName: t.string({
      nullable: true,
      description: 'The name of the brand; null when no shop names one.',
      resolve: async ({ brandId }, _arguments, { loaders }) =>
        brandId === null ? null : (await loaders.brand.load(brandId))?.name,
    }),
    category: t.field({
      type: Category,
      nullable: true,
      description: 'The most exact category that is known; null when none is.',
      resolve: ({ categoryId }, _arguments, { loaders }) =>
        categoryId === null ? null : loaders.category.load(categoryId),
    }),
    identifier: t.field({
      type: Identifier,
      description: 'The primary identifier of each kind.',
      resolve: async (product, _arguments, { loaders }) =>
        identifierSet(await loaders.identifiersOfProduct.load(product.id), product.mpn),
    }),
    identifiers: t.field({
      type: Identifiers,
      description: 'All identifiers.',
      resolve: async (product, _arguments, { loaders }) => ({
        rows: await loaders.identifiersOfProduct.load(product.id),
        mpn: product.mpn,
      }),
    }),
    description: t.exposeString('description', { nullable: true, description: 'What the product is, in plain text.' }),
    image: t.exposeString('imageUrl', { nullable: true, description: 'The address of a picture.' }),
    url: t.string({
      description: 'The address of the product.',
      resolve: (product, _arguments, { market }) => productUrl(market, product.slug),
    }),
    priceStats: t.field({
      type: PriceStats,
      description: 'The figures over the offers listed now.',
      resolve: (product) => product,
    }),
    offers: t.field({
      type: [Offer],
      description: 'The offers listed now, cheapest first, then by the name of the shop.',
      resolve: (product, _arguments, { loaders }) => loaders.offersOfProduct.load(product.id),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the product was first seen.',
      resolve: (product) => product.createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When the product or one of its offers last changed.',
      resolve: (product) => product.updatedAt,
    }),
  }),
});

builder.queryField('product', (t) =>
  t.prismaField({
    type: 'Product',
    nullable: true,
    description: 'One product by its id or slug; null when there is none.',
    args: { id: t.arg.id({ required: true, description: 'The id or the slug of the product.' }) },
    resolve: (query, _root, { id }, { prisma }) => {
      const number = decodeId('product', id);
      if (number === undefined && !isSlug(id)) return null;
      return prisma.product.findUnique({ ...query, where: number === undefined ? { slug: id } : { id: number } });
    },
  }),
);
