/**
 * Reads the pages of a product list by relevance: tier by tier, then by rank. A place in this order is the tier and the place within it.
 *
 * The planner guesses how many products have a rare word, or one word but not another. A wrong guess makes it search the whole order for a
 * few products. Tiers are therefore counted first, and a tier of known size is read in the way that suits its size.
 */
import type { KeepingQueryable } from '../keep.ts';
import { LARGEST_TOTAL, type Page, type PageArguments, paginate } from '../page.ts';
import { type Bind, countRows, type List, readRows, totalOf } from '../read-page.ts';
import { countTiers, countTiersWithBest } from '../search/count-tiers.ts';
import type { ProductSelection } from './product-filter.ts';

/** A list with the ways to match its words. */
export type ProductTiers<Row> = List<Row> & Pick<ProductSelection, 'tiers' | 'besideWords'>;

// If no more match, they are looked up by id. Lists with other conditions than words count no more.
const FEW = 1_000;
// If a tier has more, its products are sought in the order.
const MOST_LOOKED_UP = 3_000;
// More products than were counted may match meanwhile. Without these limits, the planner might expect so many that it would read all products, or
// not hash the ids.
const MARGIN = 4;

/** @param isCounted whether the client asks for the total. */
export function readByRelevance<Row>(
  database: KeepingQueryable,
  list: ProductTiers<Row>,
  page: PageArguments,
  isCounted: boolean,
): Promise<Page<Row>> {
  const { description, order, tiers } = list;
  const hasOnlyWords = list.countedIn !== undefined;
  // With other conditions, the total is another count.
  const isTotal = isCounted && hasOnlyWords;
  const most = (isTotal ? LARGEST_TOTAL : FEW) + 1;
  let total = 0;
  type Ranked = Row & { tier: number };
  return paginate<Ranked>(
    description,
    ['integer', ...order.keys.map(({ type }) => type)],
    page,
    (row) => [row.tier, ...order.placeOf(row)],
    async (request, limit) => {
      const { after, before } = request;
      // A forged cursor may contain any tier, so the range is limited to the existing ones.
      const first = Math.max(after ? Number(after[0]) : 0, 0);
      const last = Math.min(before ? Number(before[0]) : tiers.length - 1, tiers.length - 1);
      const steps = Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
      const isFirst = !request.isBackward && !after && !before;
      const { sizes, best } =
        isTotal && isFirst
          ? await countTiersWithBest(database, tiers, most, FEW, limit)
          : { sizes: await countTiers(database, tiers, most), best: undefined };
      total = sizes.total;
      const rows: Ranked[] = [];
      for (const tier of request.isBackward ? steps.reverse() : steps) {
        if (rows.length >= limit) break;
        const size = sizes.ofTier?.[tier];
        if (size === 0) continue;
        const inTier = await readRows(
          database,
          { ...list, ...(best && tier === 0 ? selectIds(best) : selectTier(list, tier, size)) },
          {
            ...request,
            after: tier === after?.[0] ? after.slice(1) : undefined,
            before: tier === before?.[0] ? before.slice(1) : undefined,
          },
          // For fewer rows than a page, the planner would rather search the order.
          limit,
        );
        rows.push(...inTier.slice(0, limit - rows.length).map((row) => ({ ...row, tier })));
      }
      return rows;
    },
    async () => (isTotal ? totalOf([{ count: total }]) : countRows(database, list)),
  );
}

type Selection = Pick<List<never>, 'from' | 'pageFrom' | 'conditions'>;

// By product_pkey.
const selectIds = (ids: readonly string[]): Selection => ({
  from: 'product',
  conditions: (bind) => [`product.id = ANY (${bind(ids)}::bigint[])`],
});

/** How to find the products of a tier. @param size the number of its products; `undefined` if there are many. */
function selectTier<Row>(
  { from, tiers, besideWords }: ProductTiers<Row>,
  tier: number,
  size: number | undefined,
): Selection {
  const matching = (most: number, bind: Bind) => `(
          SELECT product_id
          FROM product_search
          WHERE ${ofTier(tiers, tier, bind).join(' AND ')}
          LIMIT ${most}
        )`;
  // Looks up each by product_pkey. `OFFSET 0` keeps it so: the planner expects hardly any product after a place within the highest rank, and
  // would compare all of them with all that match.
  if (size !== undefined && size <= MOST_LOOKED_UP) {
    return {
      from,
      pageFrom: (bind) => `${matching(MARGIN * MOST_LOOKED_UP, bind)} AS matching
      CROSS JOIN LATERAL (SELECT * FROM product WHERE product.id = matching.product_id OFFSET 0) AS product`,
      conditions: besideWords,
    };
  }
  // Reads product_rank_idx only, and compares with all ids of the tier: `IS TRUE` keeps the subquery from becoming a join.
  if (size !== undefined) {
    return {
      from: 'product',
      conditions: (bind) => [...besideWords(bind), `(product.id IN ${matching(MARGIN * LARGEST_TOTAL, bind)}) IS TRUE`],
    };
  }
  return { from, conditions: (bind) => [...besideWords(bind), ...ofTier(tiers, tier, bind)] };
}

/**
 * Conditions for products that a tier matches and the tiers before it do not. The last tier, which includes all, is no condition: with it, the
 * planner would expect hardly any product and read all matches of a frequent word, instead of the first ones in the index of the order.
 */
function ofTier(tiers: readonly string[], tier: number, bind: Bind): string[] {
  return [
    `product_search.search @@ ${bind(tiers[tier])}::tsquery`,
    ...(tier === 0 ? [] : [`NOT product_search.search @@ ${bind(tiers[tier - 1])}::tsquery`]),
  ];
}
