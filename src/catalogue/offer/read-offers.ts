/** The columns of an offer, and the statements and loaders that read them. */
import { batched, type Loader, loadOne, present } from '../../database/batch.ts';
import { columnsOf } from '../../database/columns.ts';
import type { Queryable } from '../../database/database.ts';
import { positionIn } from '../../database/enumeration.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { AVAILABILITIES, CONDITIONS } from '../../ledger/entry.ts';
import type { MerchantRow } from '../merchant/read-merchants.ts';

/** Declared once: the row type, the GraphQL type and the statements derive from it. */
export const OFFER = {
  id: true,
  merchantId: true,
  productId: true,
  price: true,
  shipping: true,
  total: true,
  availability: true,
  condition: true,
  updatedAt: true,
} as const satisfies Prisma.OfferSelect;

/** An offer as clients see it. */
export type ListedOffer = Prisma.OfferGetPayload<{ select: typeof OFFER }> & {
  /** The merchant's name, if the statement read it too. */
  merchantName?: string;
};

const OFFER_WITH_LINK = { ...OFFER, link: true, withdrawnAt: true } as const satisfies Prisma.OfferSelect;

/** An offer, listed or withdrawn, with the URL of its page in the shop. */
type OfferWithLink = Prisma.OfferGetPayload<{ select: typeof OFFER_WITH_LINK }>;

/**
 * SQL for one text column with the listed offers of the row `product`, which costs both sides much less than JSON or a row per offer;
 * {@link readListedOffers} parses it. By offer_listed_idx alone.
 */
export const LISTED_OFFERS = `
  (
    SELECT array_agg(
             ARRAY[
               offer.id, offer.merchant_id, offer.price, offer.shipping, offer.total,
               ${positionIn(AVAILABILITIES, 'offer.availability')},
               ${positionIn(CONDITIONS, 'offer.condition')},
               (date_part('epoch', offer.updated_at) * 1000)::bigint
             ]
           )::text
    FROM offer
    WHERE offer.product_id = product.id AND offer.withdrawn_at IS NULL
  )`;

/** A value of {@link LISTED_OFFERS}; null if the product has none. */
export type ListedOffersText = string | null;

/** Parses a value of {@link LISTED_OFFERS}: an array such as `{{1,2,999,NULL,999,0,0,1795305600000},…}`. In any order. */
function parseListedOffers(productId: bigint, text: ListedOffersText): ListedOffer[] {
  if (text === null) return [];
  return text
    .slice(2, -2)
    .split('},{')
    .map((row) => {
      const [id = '', merchantId = '', price = '', shipping = '', total = '', availability, condition, updatedAt] =
        row.split(',');
      return {
        id: BigInt(id),
        merchantId: BigInt(merchantId),
        productId,
        price: BigInt(price),
        shipping: shipping === 'NULL' ? null : BigInt(shipping),
        total: BigInt(total),
        availability: present(AVAILABILITIES[Number(availability)]),
        condition: present(CONDITIONS[Number(condition)]),
        updatedAt: new Date(Number(updatedAt)),
      };
    });
}

/**
 * Parses the offers of several products, adds the merchants' names, and sorts the offers: cheapest first, then by merchant name and id.
 *
 * @param merchants caches the merchants, so that their names need no join.
 */
export async function readListedOffers(
  products: readonly { id: bigint; offers: ListedOffersText }[],
  merchants: Loader<bigint, MerchantRow | undefined>,
): Promise<ListedOffer[][]> {
  const lists = products.map(({ id, offers }) => parseListedOffers(id, offers));
  const merchantIds = new Set(lists.flatMap((offers) => offers.map(({ merchantId }) => merchantId)));
  const named = new Map<bigint, MerchantRow>();
  const loadMerchant = async (id: bigint) => named.set(id, present(await merchants.load(id)));
  await Promise.all([...merchantIds].map(loadMerchant));
  for (const offers of lists) {
    for (const offer of offers) offer.merchantName = present(named.get(offer.merchantId)).name;
    offers.sort(compareListed);
  }
  return lists;
}

/** The place of an offer among those of its product. */
export type OfferPlace = Pick<ListedOffer, 'total' | 'merchantName' | 'id'>;

/** Negative if one offer comes before the other. Names compare by their UTF-8 bytes, so the order is the same on every server. */
export function compareListed(one: OfferPlace, other: OfferPlace): number {
  return (
    Number(one.total - other.total) ||
    Buffer.compare(Buffer.from(one.merchantName ?? ''), Buffer.from(other.merchantName ?? '')) ||
    Number(one.id - other.id)
  );
}

const OFFERS_OF_PRODUCTS = `
  SELECT product.id, ${LISTED_OFFERS} AS offers
  FROM unnest($1::bigint[]) AS product (id)`;

/** The listed offers of products, by product number. */
export const offersByProduct = (database: Queryable, merchants: Loader<bigint, MerchantRow | undefined>) =>
  batched<bigint, ListedOffer[]>(async (ids) => {
    const rows = await database.query<{ id: bigint; offers: ListedOffersText }>(OFFERS_OF_PRODUCTS, [ids], {
      name: 'offers_of_products',
      batchSize: ids.length,
    });
    const lists = await readListedOffers(rows, merchants);
    const byId = new Map(rows.map(({ id }, n) => [id, lists[n]]));
    return ids.map((id) => byId.get(id) ?? []);
  });

// By the primary key; withdrawn offers too.
const OFFERS = `
  SELECT ${columnsOf('Offer', OFFER_WITH_LINK)}
  FROM offer
  WHERE id = ANY ($1::bigint[])`;

/** Offers by their numbers, including withdrawn ones. */
export const offersById = (database: Queryable) =>
  loadOne<bigint, OfferWithLink>(database, { name: 'offers', sql: OFFERS }, (row) => row.id);
