/** Reports the rows that matching has rejected, with the products concerned. */
import { MOST_OFFERS_OF_SHOP } from '../catalogue/offer/most-offers.ts';
import type { Queryable } from '../database/database.ts';
import type { AcceptedRows } from './coverage.ts';
import type { Rejects } from './rejects.ts';
import { soleValue } from './sole-value.ts';
import type { Staging } from './staging.ts';

/** Why a row is rejected when it is matched. */
type MatchingFault = 'duplicate_id' | 'identifier_conflict' | 'identifier_chain' | 'too_many_offers';

interface FaultyRow {
  line: number;
  sku: string;
  fault: MatchingFault;
  /** Slugs of the products that the row, its GTIN and its ASIN lead to. */
  product: string | null;
  gtin_product: string | null;
  asin_product: string | null;
}

/** Whether matching has rejected rows. */
export async function hasFaults(transaction: Queryable): Promise<boolean> {
  return soleValue(transaction, 'SELECT EXISTS (SELECT FROM matched WHERE fault IS NOT NULL) AS some');
}

/** Adds the rows that matching has rejected, beyond the list's room as numbers. Call it when the feed's products have slugs. */
export async function addRejections(
  transaction: Queryable,
  { table }: Pick<Staging, 'table'>,
  rejects: Rejects,
  accepted: AcceptedRows | undefined,
): Promise<void> {
  const counts = await transaction.query<{ fault: MatchingFault; rows: number }>(
    'SELECT fault, count(*)::int AS rows FROM matched WHERE fault IS NOT NULL GROUP BY fault',
  );
  if (counts.length === 0) return;
  const unlisted = new Map(counts.map(({ fault, rows }) => [fault, rows]));
  for (const row of await transaction.query<FaultyRow>(listFaulty(table), [rejects.room])) {
    unlisted.set(row.fault, (unlisted.get(row.fault) ?? 0) - 1);
    rejects.add({ line: row.line, id: row.sku, reason: row.fault, detail: detailOf(row) });
  }
  for (const [fault, rows] of unlisted) if (rows > 0) rejects.addUnlisted(fault, rows);
  if (accepted) await takeBack(transaction, accepted);
}

const POSITIONS_A_STATEMENT = 10_000;

/** Takes the rows back that had been accepted when they were read. */
async function takeBack(transaction: Queryable, accepted: AcceptedRows): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: { position: number }[] = await transaction.query(LIST_POSITIONS, [after, POSITIONS_A_STATEMENT]);
    for (const { position } of rows) accepted.takeBack(position);
    after = rows.length < POSITIONS_A_STATEMENT ? undefined : rows.at(-1)?.position;
  }
}

// By matched_position_key.
const LIST_POSITIONS = `
  SELECT position
  FROM matched
  WHERE fault IS NOT NULL AND position > $1::int
  ORDER BY position
  LIMIT $2::int`;

// By the unique index on product_identifier (kind, value).
const listFaulty = (table: string) => `
  SELECT item.line, matched.sku, matched.fault, product.slug AS product,
         gtin_product.slug AS gtin_product, asin_product.slug AS asin_product
  FROM matched
  JOIN ${table} AS item ON item.position = matched.position
  LEFT JOIN product ON product.id = matched.product_id
  LEFT JOIN product_identifier AS gtin ON gtin.kind = 'gtin' AND gtin.value = matched.gtin
  LEFT JOIN product AS gtin_product ON gtin_product.id = gtin.product_id
  LEFT JOIN product_identifier AS asin ON asin.kind = 'asin' AND asin.value = matched.asin
  LEFT JOIN product AS asin_product ON asin_product.id = asin.product_id
  WHERE matched.fault IS NOT NULL
  ORDER BY matched.position
  LIMIT $1`;

function detailOf({ fault, product, gtin_product: byGtin, asin_product: byAsin }: FaultyRow): string {
  const named = product === null ? 'this product' : `the product ${product}`;
  switch (fault) {
    case 'duplicate_id':
      return 'An earlier row of this feed has the same id.';
    case 'identifier_chain':
      return 'More than 100 rows are linked to this one by a chain of GTINs, ASINs and MPNs.';
    case 'too_many_offers':
      return `The shop lists ${MOST_OFFERS_OF_SHOP} other offers for ${named} already.`;
    case 'identifier_conflict': {
      if (byGtin !== null && byAsin !== null && byGtin !== byAsin) {
        return `The GTIN belongs to the product ${byGtin} and the ASIN to the product ${byAsin}.`;
      }
      // The row's MPN or the shop's own id leads to one product, and its GTIN or ASIN to another.
      const other = [byGtin, byAsin].find((slug) => slug !== null && slug !== product);
      if (other === undefined) return 'The identifiers of the row belong to two different products.';
      return `The row leads to ${named}, but its ${other === byGtin ? 'GTIN' : 'ASIN'} belongs to the product ${other}.`;
    }
  }
}
