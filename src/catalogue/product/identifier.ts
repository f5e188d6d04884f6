/** The identifiers of a product: GTINs, ASINs, and the manufacturer's part number. */
import { builder } from '../builder.ts';
import { cost } from '../field-cost.ts';
import { asinsOf, eansOf, type IdentifierRow } from './read-identifiers.ts';

/** One identifier of each kind, absent if the product has none. */
export interface IdentifierSet {
  ean?: string | undefined;
  asin?: string | undefined;
  mpn?: string | null;
}

/** A product's primary identifiers; the requested identifier replaces the primary one of its kind. */
export function identifierSet(
  rows: readonly IdentifierRow[],
  mpn: string | null,
  asked: IdentifierSet = {},
): IdentifierSet {
  return { ean: asked.ean ?? eansOf(rows)[0], asin: asked.asin ?? asinsOf(rows)[0], mpn };
}

export const Identifier = builder.objectRef<IdentifierSet>('Identifier').implement({
  description: 'One identifier of each kind; null if the product has none of that kind.',
  fields: (t) => ({
    ean: t.exposeString('ean', {
      nullable: true,
      description: 'The EAN/GTIN: 13 digits, or 14 if the first is not 0.',
    }),
    asin: t.exposeString('asin', { nullable: true, description: 'The ASIN: ten capital letters and digits.' }),
    mpn: t.exposeString('mpn', { nullable: true, description: "The manufacturer's part number." }),
  }),
});

// The most of one kind that imports assign to a product.
const MOST_OF_A_KIND = 50;

/** All identifiers of a product. */
export const Identifiers = builder
  .objectRef<{ rows: readonly IdentifierRow[]; mpn: string | null }>('Identifiers')
  .implement({
    description: 'All identifiers of a product, the primary one of each kind first.',
    fields: (t) => ({
      ean: t.stringList({
        ...cost({ items: MOST_OF_A_KIND }),
        description: 'All EAN/GTINs.',
        resolve: ({ rows }) => eansOf(rows),
      }),
      asin: t.stringList({
        ...cost({ items: MOST_OF_A_KIND }),
        description: 'All ASINs.',
        resolve: ({ rows }) => asinsOf(rows),
      }),
      mpn: t.exposeString('mpn', { nullable: true, description: "The manufacturer's part number." }),
    }),
  });
