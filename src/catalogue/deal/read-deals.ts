/** Reads pages of deals. */
import type { Place } from '../../values/cursor.ts';
import type { Context } from '../builder.ts';
import { type KeyType, type Page, type PageArguments, type PageRequest, paginate } from '../page.ts';
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

/** Largest fall first, then by the product's number. */
const KEYS: readonly { sql: string; type: KeyType }[] = [
  { sql: 'deal.remaining', type: 'integer' },
  { sql: 'deal.product_id', type: 'bigint' },
];

type ListArguments = PageArguments & { filter?: DealFilterInput | null | undefined };

/** Reads a page. @throws {Problem} as {@link paginate} and {@link selectDeals} do. */
export async function readDeals({ filter, ...page }: ListArguments, context: Context): Promise<Page<DealRow>> {
  const selection = await selectDeals(filter ?? {}, context);
  if (!selection) return nothing(page);
  return paginate(
    JSON.stringify(['deals', filter ?? {}]),
    KEYS.map(({ type }) => type),
    page,
    placeOf,
    (request, limit) => readValid(selection, request, limit, context),
    () => countDeals(selection, context),
  );
}

const placeOf = ({ remaining, productId }: DealRow): Place => [remaining, String(productId)];

// Until the digest has come to a product whose offers an import has changed, its deal may have ended. After a large import these may be
// many, so each further statement reads more of them, up to a limit for all.
const MORE = 10;
/** The most rows that are read for a page. If that many deals in a row have ended, the list ends there until the digest removes them. */
const MOST_CANDIDATES = 20_000;

/** Reads rows in the request's direction, without deals that have ended; usually with one statement. */
async function readValid(
  selection: DealSelection,
  { after, before, isBackward }: PageRequest,
  limit: number,
  context: Context,
): Promise<DealRow[]> {
  const valid: DealRow[] = [];
  let [low, high] = [after, before];
  for (let [most, left] = [limit, MOST_CANDIDATES]; ; most = Math.min(most * MORE, left)) {
    const rows = await readCandidates(selection, { after: low, before: high, isBackward }, most, context);
    for (const row of rows) if (row.isValid && valid.length < limit) valid.push(row);
    const last = rows.at(-1);
    left -= rows.length;
    if (valid.length === limit || last === undefined || rows.length < most || left <= 0) return valid;
    if (isBackward) high = placeOf(last);
    else low = placeOf(last);
  }
}

function readCandidates(
  selection: DealSelection,
  { after, before, isBackward }: Omit<PageRequest, 'limit'>,
  limit: number,
  { catalogue }: Context,
): Promise<(DealRow & { isValid: boolean })[]> {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const where = selection(bind);
  if (after) where.push(beyond({ keys: KEYS }, after, '>', bind));
  if (before) where.push(beyond({ keys: KEYS }, before, '<', bind));
  const sql = pageSql(where, isBackward ? 'DESC' : 'ASC', bind(limit));
  return catalogue.query(sql, parameters, { name: 'deal_page', isPlannedAnew: true });
}

// By deal_order_idx, deal_brand_idx or deal_category_idx, and the primary key of offer. The offers are joined to the rows of the page: as a
// condition of the list, the planner would take them for rare, and read all deals of the list before it sorts them.
const pageSql = (where: readonly string[], direction: 'ASC' | 'DESC', limit: string) => `
  SELECT deal.product_id AS "productId", deal.offer_id AS "offerId", deal.price, deal.previous, deal.remaining, deal.since,
         offer.id IS NOT NULL AS "isValid"
  FROM (
    SELECT *
    FROM deal
    ${whereAll(where)}
    ORDER BY ${KEYS.map(({ sql }) => `${sql} ${direction}`).join(', ')}
    LIMIT ${limit}
  ) AS deal
  LEFT JOIN offer ON offer.id = deal.offer_id
    AND offer.product_id = deal.product_id
    AND offer.withdrawn_at IS NULL
    AND offer.availability = 'in_stock'
    AND offer.condition = deal.condition
    AND offer.total = deal.price
    AND (offer.shipping IS NOT NULL OR NOT deal.shipping_known)
  ORDER BY ${KEYS.map(({ sql }) => `${sql} ${direction}`).join(', ')}`;

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

// From an index alone, so without the offers: deals that have just ended count until the digest removes them. Not cached, because deals
// change without the catalogue's version.
async function countDeals(selection: DealSelection, { catalogue }: Context) {
  const parameters: unknown[] = [];
  const where = selection((value) => `$${parameters.push(value)}`);
  const options = { name: 'deal_count', isPlannedAnew: true };
  return totalOf(await catalogue.query<CountRow>(countSql('deal', where), parameters, options));
}
