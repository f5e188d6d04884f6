/** The statements and loaders of variants: the groups of a product, and the products in them as a list of variants shows them. */
import { batched, type Loader, loadOne } from '../../database/batch.ts';
import { columnsOf } from '../../database/columns.ts';
import type { Queryable } from '../../database/database.ts';
import { positionIn } from '../../database/enumeration.ts';
import { Availability, type Prisma } from '../../generated/prisma/client.ts';
import { GROUP_NUMBER, type Tag, tagOf } from '../tags.ts';
import { IDENTIFIERS, type IdentifiersText } from './read-identifiers.ts';

/** The most products of a group. A larger one, such as one id for a whole shop, says nothing about variants and is left out. */
export const MOST_OF_GROUP = 100;
/** The most groups of a product that count: one of each shop, then a second one of each, so that no shop keeps out the others'. */
const MOST_GROUPS = 20;
/** The most variants of a product: those that were found first. */
export const MOST_VARIANTS = 100;
/** The most variants of a product that only one shop lists: those that were found first. */
export const MOST_OF_ONE_SHOP = 5;

/** The groups of a product. */
export interface ProductGroups {
  id: bigint;
  /** The numbers of all its groups, for their tags. */
  groups: readonly bigint[];
  /** The shop that founded the product; null where that was not recorded, or if the product has no group. */
  founder: bigint | null;
  /** The other products that its founder or two shops put into a group with it, the oldest first. */
  others: readonly Grouped[];
}

interface Grouped {
  id: bigint;
  /** Whether the founder put it there. */
  isFounders: boolean;
}

interface GroupRow {
  id: bigint;
  founder: bigint | null;
  merchant: bigint;
  number: bigint;
  members: string;
}

// By the primary key of product, offer_listed_idx, and offer_group_idx alone: one product more than a group may have shows that it has too
// many, so that a group of any size costs the same.
const GROUPS_OF_PRODUCTS = `
  WITH own AS MATERIALIZED (
    SELECT product.id, product.merchant_id AS founder, mine.merchant_id, mine.item_group_id
    FROM product
    CROSS JOIN LATERAL (
      SELECT offer.merchant_id, offer.item_group_id
      FROM offer
      WHERE offer.product_id = product.id AND offer.withdrawn_at IS NULL AND offer.item_group_id IS NOT NULL
      GROUP BY offer.merchant_id, offer.item_group_id
      ORDER BY row_number() OVER (PARTITION BY offer.merchant_id ORDER BY min(offer.id)),
               offer.merchant_id IS DISTINCT FROM product.merchant_id,
               min(offer.id)
      LIMIT ${MOST_GROUPS}
    ) AS mine
    WHERE product.id = ANY ($1::bigint[])
  ), grouped AS MATERIALIZED (
    SELECT offer.merchant_id, offer.item_group_id, ${GROUP_NUMBER} AS number,
           ARRAY(
             SELECT DISTINCT member.product_id
             FROM offer AS member
             WHERE member.merchant_id = offer.merchant_id
               AND member.item_group_id = offer.item_group_id
               AND member.withdrawn_at IS NULL
             ORDER BY member.product_id
             LIMIT ${MOST_OF_GROUP + 1}
           ) AS members
    FROM (SELECT DISTINCT merchant_id, item_group_id FROM own) AS offer
  )
  SELECT own.id, own.founder, own.merchant_id AS merchant, grouped.number,
         CASE WHEN cardinality(grouped.members) <= ${MOST_OF_GROUP} THEN array_to_string(grouped.members, ',') ELSE '' END AS members
  FROM own
  JOIN grouped ON grouped.merchant_id = own.merchant_id AND grouped.item_group_id = own.item_group_id`;

/** The groups of products, by product number. */
export const groupsByProduct = (database: Queryable): Loader<bigint, ProductGroups | undefined> =>
  batched<bigint, ProductGroups>(async (ids) => {
    const rows = await database.query<GroupRow>(GROUPS_OF_PRODUCTS, [[...new Set(ids)]], {
      name: 'groups_of_products',
      batchSize: ids.length,
    });
    const byProduct = new Map<bigint, GroupRow[]>();
    for (const row of rows) byProduct.set(row.id, [...(byProduct.get(row.id) ?? []), row]);
    return ids.map((id) => groupsOf(id, byProduct.get(id) ?? []));
  });

// A shop alone could otherwise put its goods on the page of any product.
function groupsOf(id: bigint, rows: readonly GroupRow[]): ProductGroups {
  const founder = rows[0]?.founder ?? null;
  const shops = new Map<bigint, Set<bigint>>();
  for (const { merchant, members } of rows) {
    for (const member of members === '' ? [] : members.split(',').map(BigInt)) {
      shops.set(member, (shops.get(member) ?? new Set()).add(merchant));
    }
  }
  shops.delete(id);
  const others = [...shops]
    .map(([other, by]) => ({ id: other, isFounders: founder !== null && by.has(founder), shops: by.size }))
    .filter((other) => other.isFounders || other.shops > 1)
    .sort((one, other) => Number(one.id - other.id))
    .slice(0, MOST_VARIANTS)
    .map(({ id, isFounders }) => ({ id, isFounders }));
  return { id, groups: rows.map(({ number }) => number), founder, others };
}

/** What the groups of a product depend on: its offers, which have them, and the offers that come into them or leave them. */
export const tagsOfGroups = ({ id, groups }: ProductGroups): Tag[] => [
  tagOf('product', id),
  ...groups.map((number) => tagOf('group', number)),
];

/** Declared once: the row type and the statement derive from it. */
const VARIANT = {
  id: true,
  slug: true,
  name: true,
  brandId: true,
  mpn: true,
  imageUrl: true,
  attributes: true,
  offerCount: true,
  minTotal: true,
  maxTotal: true,
  lowestEver: true,
  popularity: true,
  merchantId: true,
} as const satisfies Prisma.ProductSelect;

type VariantColumns = Prisma.ProductGetPayload<{ select: typeof VARIANT }>;

/** A product as a list of variants shows it. */
export type VariantRow = VariantColumns & {
  identifiers: IdentifiersText;
  /** The place in {@link BEST_FIRST} of the best availability of its offers; null without an offer. */
  availability: number | null;
};

/** Availabilities by what a buyer prefers. */
export const BEST_FIRST = [
  Availability.in_stock,
  Availability.preorder,
  Availability.backorder,
  Availability.out_of_stock,
] as const;

// By the primary key, the index on product_identifier (product_id), and offer_listed_idx alone.
const VARIANTS = `
  SELECT ${columnsOf('Product', VARIANT)},
         ${IDENTIFIERS} AS identifiers,
         (
           SELECT min(${positionIn(BEST_FIRST, 'offer.availability')})
           FROM offer
           WHERE offer.product_id = product.id AND offer.withdrawn_at IS NULL
         ) AS availability
  FROM product
  WHERE id = ANY ($1::bigint[])`;

export const variantsById = (database: Queryable) =>
  loadOne<bigint, VariantRow>(database, { name: 'variants', sql: VARIANTS, isNamed: true }, (row) => row.id);
