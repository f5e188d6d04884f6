/** Products: the canonical goods that shops' offers are matched to. */
import { batched, type Loader, loadOne, present } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import type { IdentifierKind, Product as ProductModel } from '../../generated/prisma/client.ts';
import { decodeId, encodeId } from '../../values/id.ts';
import { isSlug } from '../../values/slug.ts';
import { Brand } from '../brand/brand.ts';
import { asksOnlyFor, builder, type Context } from '../builder.ts';
import { Category, pathTo } from '../category/category.ts';
import { productUrl } from '../market.ts';
import {
  FIRST_OFFERS,
  firstOffers,
  LARGEST_OFFERS,
  LISTED_OFFERS,
  type ListedOffer,
  type ListedOffersJson,
  Offer,
  readListedOffers,
} from '../offer/offer.ts';
import {
  IDENTIFIERS,
  Identifier,
  type IdentifierRow,
  Identifiers,
  type IdentifiersJson,
  identifierSet,
} from './identifier.ts';
import { PriceStats } from './price-stats.ts';

/** A GTIN of 14 digits or an ASIN in capitals. */
export interface IdentifierKey {
  kind: IdentifierKind;
  value: string;
}

/** What is read of a product. */
export type ProductRow = Omit<ProductModel, 'mpnKey' | 'popularity' | 'sortName' | 'discountedOn' | 'merchantId'> & {
  /** The name of its brand, where the statement has read it along. */
  brandName?: string | null;
};

/** What is read of a product, as SQL on `product`. */
export const PRODUCT_COLUMNS = `
  product.id, product.slug, product.name, product.brand_id AS "brandId", product.category_id AS "categoryId",
  product.mpn, product.description, product.image_url AS "imageUrl", product.attributes,
  product.offer_count AS "offerCount", product.min_total AS "minTotal", product.max_total AS "maxTotal",
  product.lowest_ever AS "lowestEver", product.lowest_ever_at AS "lowestEverAt",
  product.discount, product.created_at AS "createdAt", product.updated_at AS "updatedAt"`;

// By the primary key.
const PRODUCTS = `
  SELECT ${PRODUCT_COLUMNS}
  FROM product
  WHERE id = ANY ($1::bigint[])`;

// By the unique index on product (slug).
const PRODUCTS_BY_SLUG = `
  SELECT ${PRODUCT_COLUMNS}
  FROM product
  WHERE slug = ANY ($1::text[])`;

export const productsById = (database: Queryable) =>
  loadOne<bigint, ProductRow>(database, PRODUCTS, (row) => row.id, { isNamed: true });
export const productsBySlug = (database: Queryable) =>
  loadOne<string, ProductRow>(database, PRODUCTS_BY_SLUG, (row) => row.slug);

/** All that a lookup shows: a product with its identifiers and offers. */
export interface WholeProduct {
  product: ProductRow;
  identifiers: IdentifierRow[];
  offers: ListedOffer[];
}

// By the unique index on product_identifier (kind, value), then by the primary key; one statement for all of a lookup.
const PRODUCTS_BY_IDENTIFIER = `
  SELECT asked.kind, asked.value, brand.name AS "brandName", ${PRODUCT_COLUMNS},
         ${IDENTIFIERS} AS identifiers, ${LISTED_OFFERS} AS offers
  FROM unnest($1::text[], $2::text[]) AS asked (kind, value)
  JOIN product_identifier AS found ON found.kind = asked.kind::identifier_kind AND found.value = asked.value
  JOIN product ON product.id = found.product_id
  LEFT JOIN brand ON brand.id = product.brand_id`;

type WholeProductRow = ProductRow & IdentifierKey & { identifiers: IdentifiersJson; offers: ListedOffersJson };

/** Products by a GTIN or an ASIN. */
export function productsByIdentifier(database: Queryable): Loader<IdentifierKey, WholeProduct | undefined> {
  return batched<IdentifierKey, WholeProduct | undefined>(async (keys) => {
    const rows = await database.query<WholeProductRow>(PRODUCTS_BY_IDENTIFIER, [
      keys.map((key) => key.kind),
      keys.map((key) => key.value),
    ]);
    const byIdentifier = new Map(rows.map((row) => [`${row.kind} ${row.value}`, row]));
    return keys.map((key) => {
      const row = byIdentifier.get(`${key.kind} ${key.value}`);
      return row && { product: row, identifiers: row.identifiers ?? [], offers: readListedOffers(row.id, row.offers) };
    });
  });
}

const Attribute = builder.objectRef<{ name: string; value: string }>('Attribute').implement({
  description: 'Something that sets a product apart from others of its kind.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What it is, by the name that feeds give it, such as `color`.' }),
    value: t.exposeString('value', { description: "The value, in the shop's words." }),
  }),
});

/** The attributes in the order of their names; nothing when there are none. */
function attributesOf(stored: unknown): { name: string; value: string }[] | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const all = Object.entries(stored)
    .map(([name, value]) => ({ name, value: String(value) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return all.length > 0 ? all : null;
}

export const Product = builder.prismaObject('Product', {
  description: 'A product, with what all shops ask for it.',
  ...asksOnlyFor({
    id: true,
    slug: true,
    name: true,
    brandId: true,
    categoryId: true,
    mpn: true,
    description: true,
    imageUrl: true,
    attributes: true,
    offerCount: true,
    minTotal: true,
    maxTotal: true,
    lowestEver: true,
    lowestEverAt: true,
    discount: true,
    createdAt: true,
    updatedAt: true,
  }),
  fields: (t) => ({
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
      resolve: ({ brandId, brandName }: ProductRow, _arguments, { loaders }) =>
        brandName !== undefined || brandId === null
          ? (brandName ?? null)
          : loaders.brand.load(brandId).then((brand) => brand?.name),
    }),
    category: t.field({
      type: Category,
      nullable: true,
      description: 'The most exact category that is known; null when none is.',
      resolve: ({ categoryId }, _arguments, { loaders }) =>
        categoryId === null ? null : loaders.category.load(categoryId),
    }),
    categoryPath: t.field({
      type: [Category],
      description: 'The way from the top of the category tree down to the category; empty when none is known.',
      resolve: async ({ categoryId }, _arguments, { loaders }) => {
        const category = categoryId === null ? undefined : await loaders.category.load(categoryId);
        return category ? pathTo(category) : [];
      },
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
    attributes: t.field({
      type: [Attribute],
      nullable: true,
      description: 'What sets it apart, such as its colour and size; null when no shop says.',
      resolve: ({ attributes }) => attributesOf(attributes),
    }),
    image: t.exposeString('imageUrl', { nullable: true, description: 'The address of a picture.' }),
    url: t.string({
      description: 'The address of the product.',
      resolve: (product, _arguments, { market }) => productUrl(market, product),
    }),
    priceStats: t.field({
      type: PriceStats,
      description: 'The figures over the offers listed now.',
      resolve: (product) => product,
    }),
    offers: t.field({
      type: [Offer],
      description: 'The offers listed now, cheapest first, then by the name of the shop.',
      args: { first: t.arg.int({ defaultValue: LARGEST_OFFERS, description: FIRST_OFFERS }) },
      resolve: async (product, { first }, context) =>
        firstOffers(await context.loaders.offersOfProduct.load(product.id), first, context),
    }),
    discount: t.float({
      description:
        'How far the lowest total price is below its average of the last 90 days, in percent; 0 when it is not.',
      resolve: ({ discount }) => discount / 100,
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

builder.nodeRef(Product, {
  id: { resolve: (product: ProductRow) => encodeId('product', product.id) },
  loadOne: (id, { loaders }) => loaders.product.load(BigInt(id)),
});

builder.objectField(Offer, 'product', (t) =>
  t.field({
    type: Product,
    description: 'The product that is offered.',
    resolve: async (offer, _arguments, { loaders }) => present(await loaders.product.load(offer.productId)),
  }),
);

/** The product of an id or a slug. */
export async function findProduct(idOrSlug: string, { loaders }: Context): Promise<ProductRow | undefined> {
  const number = decodeId('product', idOrSlug);
  if (number !== undefined) return loaders.product.load(number);
  return isSlug(idOrSlug) ? loaders.productBySlug.load(idOrSlug) : undefined;
}

builder.queryField('product', (t) =>
  t.field({
    type: Product,
    nullable: true,
    description: 'One product by its id or slug; null when there is none.',
    args: { id: t.arg.id({ required: true, description: 'The id or the slug of the product.' }) },
    resolve: (_root, { id }, context) => findProduct(id, context),
  }),
);
