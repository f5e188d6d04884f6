/** Separate from `offer.ts`, so that the importer does not load the schema. */

/** The most offers that one shop may list for one product at a time; the importer rejects further rows. */
export const MOST_OFFERS_OF_SHOP = 20;
