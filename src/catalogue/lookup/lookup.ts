/** The lookup: finds a product with all its offers by EAN/GTIN or ASIN (contract §2.1). */
import { Problem } from '../../problem.ts';
import { parseAsin } from '../../values/asin.ts';
import { formatGtin, parseEanParameter } from '../../values/gtin.ts';
import { invalid } from '../arguments.ts';
import { builder, type Context } from '../builder.ts';
import { type ArgumentOf, cost } from '../field-cost.ts';
import { firstOffers, OFFER_ARGUMENTS, Offer, offersAsked } from '../offer/offer.ts';
import { Identifier, type IdentifierSet, identifierSet } from '../product/identifier.ts';
import { PriceStats } from '../product/price-stats.ts';
import { Product } from '../product/product.ts';
import type { IdentifierKey, WholeProduct } from '../product/read-products.ts';

const IdentifierInput = builder.inputType('IdentifierInput', {
  description: 'Exactly one of an EAN/GTIN and an ASIN.',
  fields: (t) => ({
    ean: t.string({ description: 'An EAN/GTIN of 13 or 14 digits.' }),
    asin: t.string({ description: 'An ASIN: ten letters and digits, in upper or lower case.' }),
  }),
});
type IdentifierArguments = typeof IdentifierInput.$inferInput;

interface Asked {
  key: IdentifierKey;
  /** The identifier as responses show it. */
  shown: IdentifierSet;
}

/** The key to look up; or `nothing`, if it cannot match. @throws {Problem} `exactly_one_identifier`, `invalid_parameter`. */
function readIdentifier({ ean, asin }: IdentifierArguments): Asked | { nothing: string } {
  if ((ean == null) === (asin == null)) {
    throw new Problem('exactly_one_identifier', 'Send exactly one of `ean` and `asin`.');
  }
  if (ean != null) {
    const parsed = parseEanParameter(ean);
    if (parsed.kind === 'malformed') throw invalid('ean', parsed.detail);
    if (parsed.kind === 'wrong_check_digit') return { nothing: parsed.detail };
    return { key: { kind: 'gtin', value: parsed.gtin }, shown: { ean: formatGtin(parsed.gtin) } };
  }
  const parsed = parseAsin(asin ?? '');
  if (!parsed) {
    throw invalid('asin', '`asin` must have 10 characters, letters A to Z and digits, such as B0DEMO0001.');
  }
  return { key: { kind: 'asin', value: parsed }, shown: { asin: parsed } };
}

/** Explains to the client why a lookup found nothing. */
export function explainNothing(identifier: IdentifierArguments): string {
  const asked = readIdentifier(identifier);
  if ('nothing' in asked) return asked.nothing;
  const name = asked.key.kind === 'gtin' ? `EAN ${asked.shown.ean}` : `ASIN ${asked.shown.asin}`;
  return `No product has the ${name}: check the number, or search by name.`;
}

/** A product found by an identifier, which responses show. */
export type Found = WholeProduct & Pick<Asked, 'shown'>;

export const LookupResult = builder.objectRef<Found>('LookupResult').implement({
  description: 'A product found by one of its identifiers, with the prices of all shops.',
  fields: (t) => ({
    identifier: t.field({
      type: Identifier,
      description: 'The requested identifier, and the primary identifiers of the other kinds.',
      resolve: ({ product, identifiers, shown }) => identifierSet(identifiers, product.mpn, shown),
    }),
    product: t.field({ type: Product, description: 'The product.', resolve: ({ product }) => product }),
    priceStats: t.field({
      type: PriceStats,
      description: 'Price statistics of the current offers.',
      resolve: ({ product }) => product,
    }),
    offers: t.field({
      type: [Offer],
      ...cost({ items: offersAsked }),
      description: 'The current offers, cheapest first, then by shop name.',
      args: OFFER_ARGUMENTS,
      resolve: ({ offers }, asked, context) => firstOffers(offers, asked, context),
    }),
  }),
});

/** The product with an identifier; null if none has it. @throws {Problem} `exactly_one_identifier`, `invalid_parameter`. */
export async function lookUp(identifier: IdentifierArguments, context: Context): Promise<Found | null> {
  const asked = readIdentifier(identifier);
  if ('nothing' in asked) return null;
  const found = await context.loaders.productByIdentifier.load(asked.key, context);
  return found ? { ...found, shown: asked.shown } : null;
}

builder.queryField('lookup', (t) =>
  t.field({
    type: LookupResult,
    nullable: true,
    description: 'The product with an EAN/GTIN or an ASIN; null if no product has it. Send exactly one of the two.',
    args: {
      ean: t.arg.string({ description: 'An EAN/GTIN of 13 or 14 digits.' }),
      asin: t.arg.string({ description: 'An ASIN: ten letters and digits, in upper or lower case.' }),
    },
    resolve: (_root, identifier, context) => lookUp(identifier, context),
  }),
);

/** The most identifiers in one `lookups` field. */
export const MOST_LOOKUPS = 100;

/** The number of identifiers, for the price. If there are too many, the field is refused and costs one request. */
export function lookupsAsked(argument: ArgumentOf): number {
  const identifiers = argument('identifiers');
  const count = Array.isArray(identifiers) ? identifiers.length : 1;
  return count > MOST_LOOKUPS ? 1 : count;
}

builder.queryField('lookups', (t) =>
  t.field({
    type: [LookupResult],
    ...cost({ items: lookupsAsked, requests: (argument) => Math.max(1, lookupsAsked(argument)) }),
    nullable: { list: false, items: true },
    description: `Up to ${MOST_LOOKUPS} lookups at once. Results keep the order of the identifiers; null if no product has the identifier. Each lookup costs one request.`,
    args: {
      identifiers: t.arg({ type: [IdentifierInput], required: true, description: 'The identifiers to look up.' }),
    },
    resolve: (_root, { identifiers }, context) => {
      if (identifiers.length > MOST_LOOKUPS) {
        const detail = `\`identifiers\` must have at most ${MOST_LOOKUPS} entries; got ${identifiers.length}: use several requests.`;
        throw invalid('identifiers', detail);
      }
      // Each on its own: a malformed identifier is an error in its place and does not affect the others.
      return identifiers.map((identifier) => lookUp(identifier, context));
    },
  }),
);
