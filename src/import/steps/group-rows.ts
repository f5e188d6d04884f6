/**
 * Groups the staged rows of a feed so that no row of one group can change the outcome of a row of another. Rows belong together if they share
 * an id, a GTIN, an ASIN or an MPN, or if one of these leads to the same product of the catalogue, or to one with the same MPN. The brand is
 * left out: a product without a brand or an MPN takes them from different rows. A step imports whole groups.
 */
import { randomInt } from 'node:crypto';
import type { Queryable } from '../../database/database.ts';
import { columnNames, FACT_COLUMNS, stagedValues } from '../offer-columns.ts';
import { openDisjointSets } from './disjoint-sets.ts';
import { OWN_MS, openStepSize } from './step-size.ts';

/** The shop, as far as it is known before the first step. */
export interface Place {
  /** Null for a new shop. */
  merchantId: bigint | null;
  nextFullAt: Date | null;
}

/** Rows that are imported together, in the feed's order. */
export interface Group {
  rows: readonly number[];
  /** False if the outcome of all rows is known: their offers count as seen, and nothing else changes. */
  isOpen: boolean;
}

export type GroupedRows = Awaited<ReturnType<typeof groupRows>>;

// Bits of a row.
const REJECTED = 1;
const KNOWN = 2;
const DISPUTED = 4;
const CHANGES = 8;
const REPEATED = 16;

/** A group with more rows may reach the limit on a shop's offers of one product, even if all of them are known. */
const CROWD = 20;

interface Page {
  ms: number;
  last: number | null;
  positions: number[];
  /** The keys of each row, the first of which is that of its id. */
  keys: string[];
  offers: (number | null)[];
  bits: number[];
  links: number[];
}

/** Reads and groups the rows. @param read the number of rows in the feed, which are numbered from 1. */
export async function groupRows(database: Queryable, table: string, { merchantId, nextFullAt }: Place, read: number) {
  const sets = openDisjointSets(read);
  const bitsOf = new Uint8Array(read + 1);
  const seed = randomInt(2 ** 40);
  const size = openStepSize(500);
  const listed: number[] = [];
  const counts = { added: 0, changed: 0, linkBytes: 0 };
  let disputed = 0;

  const take = (row: number, keys: string, bits: number) => {
    sets.add(row);
    bitsOf[row] = bits;
    for (const [place, text] of keys.split(' ').entries()) {
      const first = sets.firstWith(Number(text), row);
      if (first === row) continue;
      if (place === 0 && !(bits & REJECTED)) bitsOf[row] = bits | REPEATED;
      sets.join(first, row);
    }
    if (!(bits & DISPUTED)) return;
    if (disputed === 0) disputed = row;
    sets.join(disputed, row);
  };

  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    const sql = pageOf(table);
    const asked = size.rows;
    const rows: Page[] = await database.query<Page>(sql, [from, asked, merchantId, nextFullAt !== null, seed]);
    const page: Page | undefined = rows[0];
    size.learn(asked, page?.ms ?? 0);
    for (const [index, row] of (page?.positions ?? []).entries()) {
      const [bits = 0, offer = null] = [page?.bits[index], page?.offers[index]];
      take(row, page?.keys[index] ?? '', bits);
      if (offer !== null) listed.push(offer);
      if (bits & (REJECTED | KNOWN)) continue;
      if (offer === null) counts.added += 1;
      else if (bits & CHANGES) counts.changed += 1;
      counts.linkBytes += page?.links[index] ?? 0;
    }
    after = page?.last ?? null;
  }

  // The members of each group as a chain, from its first row on.
  const next = new Int32Array(read + 1);
  const last = new Int32Array(read + 1);
  for (let row = 1; row <= read; row += 1) {
    if (!sets.has(row)) continue;
    const first = sets.find(row);
    if (first !== row) next[last[first] || first] = row;
    last[first] = row;
  }

  const groupOf = (first: number): Group => {
    const rows: number[] = [];
    let isOpen = false;
    for (let row = first; row !== 0; row = next[row] ?? 0) {
      rows.push(row);
      const bits = bitsOf[row] ?? 0;
      if (!(bits & (REJECTED | KNOWN)) || bits & REPEATED) isOpen = true;
    }
    return { rows, isOpen: isOpen || rows.length > CROWD };
  };
  const disputing = disputed === 0 ? 0 : sets.find(disputed);

  return {
    /** What the import would write at most, for the estimate of its space. */
    counts,
    /** The group of all rows that may start or end a dispute, which is imported first. */
    disputing: disputing === 0 ? undefined : groupOf(disputing),
    /** The other groups, by their first rows. */
    *others(): Generator<Group> {
      for (let row = 1; row <= read; row += 1) {
        if (sets.has(row) && sets.find(row) === row && row !== disputing) yield groupOf(row);
      }
    },
    /** The ids of the shop's offers that the feed lists, in ascending order. */
    listed: Float64Array.from(listed).sort(),
  };
}

// Exact as a number of JavaScript. The seed keeps a shop from choosing values with equal hashes.
const key = (value: string, kind: number) => `hashtextextended(${value}, $5::bigint + ${kind}) & ${2 ** 53 - 1}`;
const MPN = 3;

const hasDispute = (kind: 'gtin' | 'asin') =>
  `EXISTS (SELECT FROM identifier_dispute AS own WHERE own.merchant_id = $3 AND own.${kind} = item.${kind})`;

const productOf = (kind: 'gtin' | 'asin') => `
    LEFT JOIN LATERAL (
      SELECT product.id, product.mpn_key
      FROM product_identifier AS identifier
      JOIN product ON product.id = identifier.product_id
      WHERE identifier.kind = '${kind}' AND identifier.value = item.${kind}
      LIMIT 1
    ) AS by_${kind} ON TRUE`;

// By the primary key of the staging table, the unique indices on product_identifier (kind, value) and offer (merchant_id, sku), and the
// primary key of product. LIMIT keeps the planner from reading whole tables for a page.
const pageOf = (table: string) => `
  SELECT max(position) AS last, ${OWN_MS} AS ms,
         COALESCE(array_agg(position), '{}') AS positions,
         COALESCE(array_agg(keys), '{}') AS keys,
         COALESCE(array_agg(offer_id), '{}') AS offers,
         COALESCE(array_agg(bits), '{}') AS bits,
         COALESCE(array_agg(link_bytes), '{}') AS links
  FROM (
    SELECT item.position,
           concat_ws(
             ' ',
             ${key('item.sku', 0)}, ${key('item.gtin', 1)}, ${key('item.asin', 2)}, ${key('item.mpn_key', MPN)},
             ${['by_gtin', 'by_asin', 'own'].map((product) => `${key(`${product}.id::text`, 4)}, ${key(`${product}.mpn_key`, MPN)}`).join(', ')}
           ) AS keys,
           own.offer_id,
           CASE WHEN item.fault IS NOT NULL THEN ${REJECTED} ELSE 0 END
           + CASE WHEN item.known_offer IS NOT NULL THEN ${KNOWN} ELSE 0 END
           + CASE WHEN NOT $4::boolean AND (by_gtin.id <> by_asin.id OR ${hasDispute('asin')} OR ${hasDispute('gtin')}) THEN ${DISPUTED} ELSE 0 END
           + CASE WHEN own.is_other OR $4::boolean THEN ${CHANGES} ELSE 0 END AS bits,
           CASE WHEN own.is_other OR $4::boolean THEN octet_length(item.link) ELSE 0 END AS link_bytes
    FROM (SELECT * FROM ${table} WHERE position > $1::int ORDER BY position LIMIT $2::int) AS item
    ${productOf('gtin')}
    ${productOf('asin')}
    LEFT JOIN LATERAL (
      SELECT offer.id::float8 AS offer_id, product.id, product.mpn_key,
             item.known_offer IS NULL
             AND (
               offer.withdrawn_at IS NOT NULL
               OR (${columnNames(FACT_COLUMNS, 'offer.')}, offer.link) IS DISTINCT FROM (${stagedValues(FACT_COLUMNS)}, item.link)
             ) AS is_other
      FROM offer
      JOIN product ON product.id = offer.product_id
      WHERE offer.merchant_id = $3 AND offer.sku = item.sku
      LIMIT 1
    ) AS own ON TRUE
  ) AS row`;
