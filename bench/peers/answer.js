// The answer of a lookup as the contract has it, from the rows of the two statements that a hand-written service would run.
const ALPHABET = 36;

/** The primary key as the contract shows it. */
const idOf = (prefix, id) => `${prefix}_${BigInt(id).toString(ALPHABET)}`;

// An EAN of 13 digits unless the first of 14 says more.
const eanOf = (gtin) => (gtin.startsWith('0') ? gtin.slice(1) : gtin);
const money = (minor) => (minor === null ? undefined : Number(minor) / 100);

/** The identifier in the form in which it is stored. */
export const gtinOf = (ean) => ean.padStart(14, '0');

export function answerOf(ean, product, offers, publicUrl) {
  return {
    data: {
      identifier: { ean: eanOf(gtinOf(ean)), asin: product.asin ?? undefined, mpn: product.mpn ?? undefined },
      product: { name: product.name, brand: product.brand ?? undefined, url: `${publicUrl}/products/${product.slug}` },
      priceStats: {
        currency: 'EUR',
        min: money(product.min_total),
        max: money(product.max_total),
        lowestEver: money(product.lowest_ever),
        offerCount: product.offer_count,
      },
      offers: offers.map((offer) => ({
        merchant: offer.merchant,
        totalPrice: money(offer.total),
        availability: offer.availability,
        url: `/go/${idOf('off', offer.id)}`,
      })),
    },
  };
}
