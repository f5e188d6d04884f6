/** A product as a line of exports and in the stream of changes: its fields without prices, which belong to offers. */
import type { ProductState } from '../../ledger/changes/product-state.ts';
import { encodeId } from '../../values/id.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import { type Market, productUrl } from '../market.ts';
import { attributesOf, type ProductAttribute } from './attributes.ts';
import { asinsOf, eansOf, readIdentifiers } from './read-identifiers.ts';

/** A product as JSON. Members are absent where no shop states them. */
export interface ProductLine {
  id: string;
  slug: string;
  name: string;
  brand?: string;
  category?: { id: string; slug: string; name: string };
  /** The primary identifier of each kind. */
  identifier: { ean?: string; asin?: string; mpn?: string };
  identifiers: { ean: string[]; asin: string[] };
  description?: string;
  attributes?: ProductAttribute[];
  image?: string;
  url: string;
  /** The time of first observation, RFC 3339. */
  createdAt: string;
}

/** Renders the fields of the product with this number. */
export function productLine(id: bigint, state: ProductState, market: Market): ProductLine {
  const { slug, name, brand, category, mpn, description, image, createdAt } = state;
  const identifiers = readIdentifiers(state.identifiers ?? null);
  const [eans, asins] = [eansOf(identifiers), asinsOf(identifiers)];
  const attributes = attributesOf(state.attributes);
  return {
    id: encodeId('product', id),
    slug,
    name,
    ...(brand !== undefined && { brand }),
    ...(category && { category: categoryOf(category) }),
    identifier: {
      ...(eans[0] !== undefined && { ean: eans[0] }),
      ...(asins[0] !== undefined && { asin: asins[0] }),
      ...(mpn !== undefined && { mpn }),
    },
    identifiers: { ean: eans, asin: asins },
    ...(description !== undefined && { description }),
    ...(attributes && { attributes }),
    ...(image !== undefined && { image }),
    url: productUrl(market, { slug, id }),
    createdAt: formatTimestamp(new Date(createdAt)),
  };
}

// jsonb sorts members by the length of their names; lines have the order of all other answers.
const categoryOf = ({ id, slug, name }: NonNullable<ProductState['category']>) => ({
  id: encodeId('category', BigInt(id)),
  slug,
  name,
});
