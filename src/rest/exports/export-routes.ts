/** The routes of the exports. They are not in the table of REST routes, because they are streams and no documents. */
import * as z from 'zod';
import { EXPORT_KINDS, type ExportKind } from '../../catalogue/exports/export.ts';
import { AVAILABILITIES } from '../../ledger/entry.ts';
import { day, oneOf, optional, price, reference, shipping } from '../parameter-types.ts';
import type { DescribedRoute, StreamSource } from '../route.ts';
import { EXPORT_LINES } from './export-schemas.ts';

/** JSON lines, which every line of code that can read JSON can read one by one. */
export const NDJSON = 'application/x-ndjson';

/** A route that streams all lines that a filter selects. */
export interface ExportRoute extends Omit<DescribedRoute, 'source'> {
  kind: ExportKind;
  source: StreamSource;
}

const resuming = {
  after: optional(
    reference(),
    'Resumes an export after the line with this id. Send `cursor`, too, and the same filter.',
  ),
  cursor: optional(reference(), 'The `Changes-Cursor` of the export that is resumed, which the response repeats.'),
};

const groups = {
  category: optional(reference(), 'Slug or id of a category, including its subcategories.', 'headphones'),
  brand: optional(reference(), 'Slug or id of a brand.', 'sonavia'),
};

const ABOUT = {
  products: {
    name: 'exportProducts',
    summary: 'Export all products',
    description:
      'Every product that the filter selects, by id, as one JSON object per line; the last line has `end`. Prices are in the export of offers.',
    parameters: z.object({
      ...groups,
      merchant: optional(reference(), 'Slug or id of a merchant with a current offer.', 'techtonne'),
      minPrice: optional(price(), 'The minimum of the lowest total price.', 10),
      maxPrice: optional(price(), 'The maximum of the lowest total price.', 99.99),
      availability: optional(
        oneOf(AVAILABILITIES),
        'At least one offer has this availability; with `merchant`, that merchant’s offer.',
        'in_stock',
      ),
      ...resuming,
    }),
    example: { category: 'headphones' },
  },
  offers: {
    name: 'exportOffers',
    summary: 'Export all offers',
    description:
      'Every current offer that the filter selects, by id, as one JSON object per line; the last line has `end`.',
    parameters: z.object({
      ...groups,
      merchant: optional(reference(), 'Slug or id of the merchant.', 'techtonne'),
      minPrice: optional(price(), 'The minimum of the total price.', 10),
      maxPrice: optional(price(), 'The maximum of the total price.', 99.99),
      availability: optional(oneOf(AVAILABILITIES), 'The availability of the offer.', 'in_stock'),
      shipping,
      ...resuming,
    }),
    example: { category: 'headphones', availability: 'in_stock' },
  },
  history: {
    name: 'exportHistory',
    summary: 'Export the price history',
    description:
      'Every recorded entry that the filter selects, by product, offer and time, as one JSON object per line; the last line has `end`. An entry holds until the next one of its offer at the product; `listed` is false where the offer ended.',
    parameters: z.object({
      ...groups,
      merchant: optional(reference(), 'Slug or id of the merchant.', 'techtonne'),
      minPrice: optional(price(), 'The minimum of the total price; entries without one are left out.', 10),
      maxPrice: optional(price(), 'The maximum of the total price; entries without one are left out.', 99.99),
      availability: optional(oneOf(AVAILABILITIES), 'The recorded availability.', 'in_stock'),
      from: optional(day(), 'The first day of the entries, in UTC.', '2030-01-01'),
      to: optional(day(), 'The last day of the entries, in UTC.', '2030-01-31'),
      ...resuming,
    }),
    example: { category: 'headphones' },
  },
} as const satisfies Record<ExportKind, Omit<ExportRoute, 'path' | 'kind' | 'tag' | 'access' | 'source'>>;

export const EXPORT_ROUTES: readonly ExportRoute[] = EXPORT_KINDS.map((kind) => ({
  path: `/api/v1/exports/${kind}`,
  kind,
  tag: 'Changes',
  access: 'metered',
  price: 'Costs one request for each 100 lines begun, at least one.',
  ...ABOUT[kind],
  source: { mediaType: NDJSON, schema: EXPORT_LINES[kind] },
}));
