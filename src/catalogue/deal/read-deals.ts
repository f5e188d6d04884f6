/** Reads pages of deals. */
import type { Context } from '../builder.ts';
import { type KeyType, type Page, type PageArguments, paginate } from '../page.ts';
import { type Bind, beyond, type CountRow, countSql, totalOf, whereAll } from '../read-page.ts';
import { type DealFilterInput, type DealSelection, selectDeals } from './deal-filter.ts';

/** A deal as the database has it. Amounts are in minor units. */
export interface DealRow {
  productId: bigint;
  offerId: bigint;
  price: bigint;
  previous: bigint;
  /** The price in hundredths of a percent of the previous one. */
  remaining: number;
  since: Date;
}

/** Largest reduction first, then by the product's number. */
const KEYS: readonly { sql: string; type: KeyType }[] = [
  { sql: 'deal.remaining', type: 'integer' },
  { sql: 'deal.product_id', type: 'bigint' },
];

type ListArguments = PageArguments & { filter?: DealFilterInput | null | undefined };

/** Reads a page with one statement. @throws {Problem} as {@link paginate} and {@link selectDeals} do. */
export async function readDeals({ filter, ...page }: ListArguments, context: Context): Promise<Page<DealRow>> {
  const selection = await selectDeals(filter ?? {}, context);
  if (!selection) return nothing(page);
  return paginate<DealRow>(
    JSON.stringify(['deals', filter ?? {}]),
    KEYS.map(({ type }) => type),
    page,
    ({ remaining, productId }) => [remaining, String(productId)],
    ({ after, before, isBackward }, limit) => {
      const parameters: unknown[] = [];
      const bind: Bind = (value) => `$${parameters.push(value)}`;
      const where = [...selection(bind), ...IS_VALID];
      if (after) where.push(beyond({ keys: KEYS }, after, '>', bind));
      if (before) where.push(beyond({ keys: KEYS }, before, '<', bind));
      const sql = pageSql(where, isBackward ? 'DESC' : 'ASC', bind(limit));
      return context.catalogue.query<DealRow>(sql, parameters, { name: 'deal_page', isPlannedAnew: true });
    },
    () => countDeals(selection, context),
  );
}

/** The page of a list without any deals. Its cursors are not checked, since nothing could have returned them. */
const nothing = ({ first, last }: PageArguments): Promise<Page<DealRow>> =>
  paginate<DealRow>(
    '',
    [],
    { first, last },
    () => [],
    async () => [],
    async () => ({ count: 0, isExact: true }),
  );

// Until the digest has come to a product whose offers an import has changed, its deal may have ended.
const IS_VALID = [
  'offer.product_id = deal.product_id',
  'offer.withdrawn_at IS NULL',
  "offer.availability = 'in_stock'",
  'offer.condition = deal.condition',
  'offer.total = deal.price',
];

// By deal_order_idx, deal_brand_idx or deal_category_idx, and the primary key of offer.
const pageSql = (where: readonly string[], direction: 'ASC' | 'DESC', limit: string) => `
  SELECT deal.product_id AS "productId", deal.offer_id AS "offerId", deal.price, deal.previous, deal.remaining, deal.since
  FROM deal
  JOIN offer ON offer.id = deal.offer_id
  ${whereAll(where)}
  ORDER BY ${KEYS.map(({ sql }) => `${sql} ${direction}`).join(', ')}
  LIMIT ${limit}`;

// From an index alone, so without the offers: deals that have just ended count until the digest removes them. Not cached, because deals
// change without the catalogue's version.
async function countDeals(selection: DealSelection, { catalogue }: Context) {
  const parameters: unknown[] = [];
  const where = selection((value) => `$${parameters.push(value)}`);
  const options = { name: 'deal_count', isPlannedAnew: true };
  return totalOf(await catalogue.query<CountRow>(countSql('deal', where), parameters, options));
}
