/** The statement for a page of the export of the ledger, in the forms that its home asks for. */
import { MERCHANT_NAMES } from './merchant-names.ts';

/** SQL for the parts of a page. */
export interface PageParts {
  /** The place after which it starts: product, offer, time and import. */
  after: readonly [product: string, offer: string, observedAt: string, importRun: string];
  /** The last product. */
  through: string;
  /** Conditions on the entries in `ledger`. */
  entries: readonly string[];
  /** Conditions on `product`. */
  products: readonly string[];
  /** Conditions on `offer`. */
  offers: readonly string[];
  limit: string;
}

const KEY = ['product_id', 'offer_id', 'observed_at', 'import_run_id'];
const keyOf = (table: string) => KEY.map((column) => `${table}.${column}`).join(', ');

// By the primary key of ledger. Of several entries with one time, the one of the latest import counts.
const IS_REPLACED = `EXISTS (
        SELECT
        FROM ledger AS later
        WHERE later.product_id = ledger.product_id
          AND later.offer_id = ledger.offer_id
          AND later.observed_at = ledger.observed_at
          AND later.import_run_id > ledger.import_run_id
      )`;

const inPage = ({ after, through, entries }: PageParts) => [
  `(${keyOf('ledger')}) > (${after.join(', ')})`,
  `ledger.product_id <= ${through}`,
  ...entries,
  `NOT ${IS_REPLACED}`,
];

const and = (conditions: readonly string[]) => conditions.join('\n    AND ');

const columnsOf = (entry: string) => `
         ${entry}.product_id AS "productId", ${entry}.offer_id AS "offerId", ${entry}.observed_at AS "observedAt",
         ${entry}.import_run_id AS "importRunId", ${entry}.total, ${entry}.price, ${entry}.shipping,
         ${entry}.regular_price AS "regularPrice", ${entry}.availability, ${entry}.condition,
         offer.merchant_id AS "merchantId", ${MERCHANT_NAMES}`;

/** Joins all tables, so that the planner may start with the one that selects the fewest rows. */
export const jointPage = (parts: PageParts): string => `
  SELECT ${columnsOf('ledger').trim()}
  FROM ledger
  JOIN offer ON offer.id = ledger.offer_id
  JOIN merchant ON merchant.id = offer.merchant_id
  ${parts.products.length > 0 ? 'JOIN product ON product.id = ledger.product_id' : ''}
  WHERE ${and([...inPage(parts), ...parts.products, ...parts.offers])}
  ORDER BY ${keyOf('ledger')}
  LIMIT ${parts.limit}`;

/**
 * For a distributed ledger: the shards get the numbers of the selected products and offers, and return the entries of the page. The numbers
 * are those of the page's window of products, whose size follows from the time that a page takes (walk.ts).
 */
export function dividedPage(parts: PageParts): string {
  const { after, through, products, offers, limit } = parts;
  const isChosen = products.length > 0;
  const isOffered = offers.length > 0;
  const chosen = `chosen AS MATERIALIZED (
    SELECT id FROM product WHERE ${and([`id >= ${after[0]}`, `id <= ${through}`, ...products])}
  )`;
  // Of all offers with entries in the window, because an offer that moved keeps its entries at its former product.
  const present = `present AS MATERIALIZED (
    SELECT DISTINCT offer_id
    FROM ledger
    WHERE product_id >= ${after[0]} AND product_id <= ${through}
  )`;
  const offered = `offered AS MATERIALIZED (
    SELECT offer.id FROM present JOIN offer ON offer.id = present.offer_id WHERE ${and(offers)}
  )`;
  const page = `page AS MATERIALIZED (
    SELECT ledger.*
    FROM ledger
    ${isChosen ? 'JOIN chosen ON chosen.id = ledger.product_id' : ''}
    ${isOffered ? 'JOIN offered ON offered.id = ledger.offer_id' : ''}
    WHERE ${and(inPage(parts))}
    ORDER BY ${keyOf('ledger')}
    LIMIT ${limit}
  )`;
  return `
  SELECT *
  FROM (
    WITH ${[...(isChosen ? [chosen] : []), ...(isOffered ? [present, offered] : []), page].join(', ')}
    SELECT ${columnsOf('page').trim()}
    FROM page
    JOIN offer ON offer.id = page.offer_id
    JOIN merchant ON merchant.id = offer.merchant_id
  ) AS entries
  ORDER BY "productId", "offerId", "observedAt", "importRunId"`;
}
