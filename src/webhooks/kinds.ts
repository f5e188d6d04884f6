/** The kinds of webhook messages, and which filters each of them needs. */
import type { WebhookKind } from '../generated/prisma/client.ts';

export type { WebhookKind };

interface KindTerms {
  /** When a message is sent: one sentence. */
  description: string;
  /** Whether the filter must select products: by product, category, brand or merchant. */
  needsScope: boolean;
  /** A member of the filter that belongs to this kind only. */
  own?: { member: 'minPercent' | 'below' | 'codes'; isRequired: boolean };
}

/** The kinds, with their rules. */
export const KINDS: Readonly<Record<WebhookKind, KindTerms>> = {
  price_changed: {
    description: 'The lowest total price of a product rose or fell, by at least `minPercent` if that is set.',
    needsScope: true,
    own: { member: 'minPercent', isRequired: false },
  },
  price_below: {
    description: 'The lowest total price of a product fell to `below` or less, from a higher price or from none.',
    needsScope: true,
    own: { member: 'below', isRequired: true },
  },
  new_low: { description: 'The lowest total price of a product is lower than ever before.', needsScope: true },
  low_equalled: {
    description: 'The lowest total price of a product fell to the lowest that it ever was.',
    needsScope: true,
  },
  back_in_stock: { description: 'An offer is in stock that was not.', needsScope: true },
  offer_withdrawn: { description: 'A shop no longer offers a product.', needsScope: true },
  product_found: {
    description: 'A GTIN or ASIN in `codes` that no product had is now known.',
    needsScope: false,
    own: { member: 'codes', isRequired: true },
  },
};

/** The names of the kinds. */
export const KIND_NAMES = Object.keys(KINDS) as [WebhookKind, ...WebhookKind[]];
