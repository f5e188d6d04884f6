/** JSON Schemas of the lines of exports, for the description of the API. Products and offers have those of the changes API, whose objects they are. */
import type { ExportKind } from '../../catalogue/exports/export.ts';
import { AVAILABILITIES, CONDITIONS } from '../../ledger/entry.ts';
import type { JsonSchema } from '../body-schema.ts';

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({ type: 'string', description, ...more });
const amount = (description: string): JsonSchema => ({ type: 'number', description });
const time = (description: string) => text(description, { format: 'date-time' });
const member = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const object = (description: string, required: readonly string[], properties: Record<string, JsonSchema>) => ({
  type: 'object',
  description,
  required,
  properties,
});
const currency = text('The currency of the amounts, ISO 4217.');
const availability = text('Whether it can be bought.', { enum: AVAILABILITIES });
const condition = text('The condition of the goods.', { enum: CONDITIONS });
const merchant = member('MerchantReference');

/** The components that {@link EXPORT_LINES} refer to, besides those of the changes API. */
export const EXPORT_SCHEMAS: Record<string, JsonSchema> = {
  ExportedEntry: object(
    'An entry of the price history: what a shop stated from `observedAt` on. Facts that were not recorded are absent.',
    ['id', 'productId', 'offerId', 'merchant', 'observedAt', 'listed', 'currency'],
    {
      id: text('The opaque position of the entry, for `after`.'),
      productId: text('The id of the product.'),
      offerId: text('The id of the offer.'),
      merchant,
      observedAt: time('The time in the shop’s feed.'),
      listed: { type: 'boolean', description: 'False if the offer ended at the product; then amounts are absent.' },
      price: amount('The price without shipping, including taxes.'),
      shipping: amount('The lowest shipping cost in the market.'),
      totalPrice: amount('Price plus shipping.'),
      regularPrice: amount('The price without the sale price that applied.'),
      currency,
      availability,
      condition,
    },
  ),
  ExportEnd: object('The last line of an export. Without it, the export is incomplete.', ['end', 'count', 'cursor'], {
    end: { type: 'boolean', description: 'True if the export is complete.' },
    code: text('Why the export is incomplete: the monthly quota is used up.', { enum: ['quota_exhausted'] }),
    count: { type: 'integer', minimum: 0, description: 'The number of lines before this one.' },
    cursor: text('The cursor of the changes that follow, as in `Changes-Cursor`.'),
    after: text('The id of the last line, to resume with.'),
  }),
};

const lines = (line: string): JsonSchema => ({
  type: 'string',
  description: 'One JSON object per line. The last line says whether the export is complete.',
  contentMediaType: 'application/x-ndjson',
  contentSchema: { anyOf: [member(line), member('ExportEnd')] },
});

/** The schema of each export. */
export const EXPORT_LINES: Record<ExportKind, JsonSchema> = {
  products: lines('ProductState'),
  offers: lines('OfferState'),
  history: lines('ExportedEntry'),
};
