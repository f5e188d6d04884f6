/** The routes that find products by codes: many lookups at once, and any kind of code. */
import * as z from 'zod';
import { MOST_LOOKUPS } from '../catalogue/lookup/lookup.ts';
import { MOST_OFFERS_OF_BATCH } from '../catalogue/lookup/lookup-batch.ts';
import { graphql } from '../graphql/document.ts';
import { LONGEST_CODE } from '../values/codes/read-code.ts';
import { PRICE_STATISTICS, PRODUCT } from './fragments.ts';
import { fromGraphql, type ParameterValues, type Route } from './route.ts';

const ENTRY_KEYS = ['ean', 'asin', 'code'] as const;
/** The most offers of a product in a result for agents, which read every token. */
const OFFERS_FOR_AGENTS = 5;
const MOST_OFFERS = 1_000;

// Unknown to zod, because a malformed entry fails alone, and not the request.
const entry = z.unknown().meta({
  type: 'object',
  description: 'Exactly one of `ean`, `asin` and `code`.',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: {
    ean: { type: 'string', description: 'EAN/GTIN, 13 or 14 digits.' },
    asin: { type: 'string', description: 'ASIN, 10 letters and digits in upper or lower case.' },
    code: {
      type: 'string',
      maxLength: LONGEST_CODE,
      description: 'Any code: EAN-8, UPC-A, UPC-E, ISBN, ISSN, an element string such as `(01)…`, a GS1 Digital Link.',
    },
  },
  examples: [{ ean: '4006381333931' }],
});

const body = z.strictObject({
  identifiers: z
    .array(entry, 'must be a list of objects')
    .min(1, `must have 1 to ${MOST_LOOKUPS} entries`)
    .max(MOST_LOOKUPS, `must have 1 to ${MOST_LOOKUPS} entries: use several requests`)
    .meta({ description: `The lookups, 1 to ${MOST_LOOKUPS}. Results keep their order.` }),
  offers: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(MOST_OFFERS, `must be at most ${MOST_OFFERS}`)
    .optional()
    .meta({
      description: `The most offers of each product, cheapest first. If there are more than ${MOST_OFFERS_OF_BATCH} together, each product has the cheapest that fit.`,
      examples: [5],
    }),
});

/** The entries of a batch, as GraphQL takes them; a malformed one becomes one without an identifier, which is refused by itself. */
function entriesOf(identifiers: readonly unknown[]) {
  return identifiers.map((given) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return {};
    const members = Object.entries(given).filter(([, value]) => value != null);
    const isSound = members.every(
      ([name, value]) =>
        ENTRY_KEYS.some((key) => key === name) && typeof value === 'string' && value.length <= LONGEST_CODE,
    );
    return isSound ? Object.fromEntries(members) : {};
  });
}

const asVariables = ({ body: sent }: ParameterValues): ParameterValues => {
  const { identifiers, offers } = sent as z.infer<typeof body>;
  return { identifiers: entriesOf(identifiers), offers };
};

export const LOOKUP_ROUTES: readonly Route[] = [
  {
    path: '/api/v1/lookups',
    method: 'POST',
    name: 'lookUpMany',
    tag: 'Lookup',
    summary: `Look up to ${MOST_LOOKUPS} products at once`,
    description: `Exactly one result per entry, in the order of the entries. \`result\` is the \`data\` of \`/api/v1/lookup\`, but lists at most \`offers\` offers; without \`offers\` it lists all. If the results would list more than ${MOST_OFFERS_OF_BATCH} offers together, each lists only its cheapest. \`priceStats\` counts all offers in any case. An entry that cannot be read, or whose code can mean several products, has a \`problem\` and does not affect the others. If the quota has fewer requests left than entries, nothing is looked up and nothing is charged.`,
    price: 'Costs one request for each entry; a refused body costs one.',
    tool: `Use this for several numbers at once, 1 to ${MOST_LOOKUPS}: send each as {"code": …}, whatever its kind. Returns one result per entry, in order, with the cheapest ${OFFERS_FOR_AGENTS} offers; \`offers\` asks for more. Each entry costs one request.`,
    access: 'metered',
    parameters: z.object({}),
    body,
    requestsOf: ({ identifiers }) => (identifiers as unknown[]).length,
    exampleBody: { identifiers: [{ ean: '4006381333931' }, { code: '(01)04006381333932' }, { asin: 'short' }] },
    example: {},
    asTool: { without: [], lists: [], defaults: { offers: String(OFFERS_FOR_AGENTS) } },
    source: fromGraphql({
      document: graphql(`
        query LookupBatch($identifiers: [LookupEntry!]!, $offers: Int) {
          data: lookupBatch(identifiers: $identifiers, offers: $offers) {
            input { ean asin code }
            status
            problem { type title status detail code parameter }
            result {
              identifier { ean asin mpn }
              product { name brand: brandName url }
              priceStats { ...PriceStatistics }
              offers { merchant: merchantName totalPrice availability url }
            }
          }
        }
        ${PRICE_STATISTICS}`),
      shape: 'whole',
      table: { without: ['offers'] },
      variables: asVariables,
    }),
  },
  {
    path: '/api/v1/resolve',
    name: 'resolveCode',
    tag: 'Lookup',
    summary: 'Find the products that any code may mean',
    description:
      'Accepts EAN-8, UPC-A, UPC-E, EAN-13, GTIN-14, ISBN-10, ISBN-13, ISSN, ASIN, element strings such as `(01)04006381333931`, and GS1 Digital Links; blanks and hyphens are ignored. `readings` are the ways to read the code, `candidates` the products with one of them. A wrong check digit gives a `suggestion` and no reading. A code that can be read is answered 200, also without a product.',
    tool: 'Use this for a code from a package or a scanner whose kind you do not know: UPC, EAN-8, ISBN-10, ISSN, an element string, a Digital Link. Returns the ways to read it and the products with them. For an EAN of 13 digits or an ASIN, `look_up` also returns the offers.',
    access: 'metered',
    parameters: z.object({
      code: z
        .string('is missing: send it')
        .min(1, `must be 1 to ${LONGEST_CODE} characters`)
        .max(LONGEST_CODE, `must be 1 to ${LONGEST_CODE} characters`)
        .meta({ description: 'The code, as it was scanned, printed or typed.', example: '4006381333931' }),
    }),
    example: { code: '(01)04006381333931' },
    source: fromGraphql({
      document: graphql(`
        query Resolve($code: String!) {
          data: resolve(code: $code) {
            input
            readings { kind normalized }
            candidates {
              match
              product { ...Product }
            }
            suggestion { normalized detail }
          }
        }
        ${PRODUCT}`),
      shape: 'whole',
      table: { rows: 'candidates', beside: ['input'] },
    }),
  },
];
