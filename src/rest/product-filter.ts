/** The parameters by which lists of products and their facets are filtered, and the GraphQL filter that they stand for. */
import { ATTRIBUTE_NAMES } from '../catalogue/product/attributes.ts';
import { MOST_FILTER_VALUES, type ProductFilterInput } from '../catalogue/product/product-filter.ts';
import { AVAILABILITIES, CONDITIONS } from '../ledger/entry.ts';
import {
  anyAttributeValue,
  anyOf,
  anyReference,
  attributeValuesOf,
  flag,
  optional,
  percentage,
  price,
  typed,
  valuesOf,
} from './parameter-types.ts';
import type { ParameterValues, Route } from './route.ts';

const SEVERAL = `Several, at most ${MOST_FILTER_VALUES}, are separated by commas: one must match.`;

const ATTRIBUTE_EXAMPLES: Partial<Record<string, string>> = { color: 'Black', size: 'M' };
/** The names of parameters for attributes start with it. */
export const ATTRIBUTE_PREFIX = 'attr.';
const attributeParameter = (name: string) => ATTRIBUTE_PREFIX + name;

const ATTRIBUTE_PARAMETERS = Object.fromEntries(
  ATTRIBUTE_NAMES.map((name) => [
    attributeParameter(name),
    optional(
      anyAttributeValue(),
      `The attribute \`${name}\`, exactly as products have it. ${SEVERAL} A comma in a value is written \`\\,\`.`,
      ATTRIBUTE_EXAMPLES[name],
    ),
  ]),
);

/** The parameters of a filter of products. */
export const PRODUCT_FILTER = {
  q: optional(
    typed(),
    'Words from the name, brand or category, in any order, or a GTIN, ASIN or MPN. Accents are ignored. Prefixes match too, and then other readings: quantities, words joined or split, singular for plural, synonyms. Each word of four letters or more may contain one typing error.',
    'headphones',
  ),
  category: optional(anyReference(), `Slug or id of a category, including its subcategories. ${SEVERAL}`, 'headphones'),
  brand: optional(anyReference(), `Slug or id of a brand. ${SEVERAL}`, 'sonavia'),
  merchant: optional(anyReference(), `Slug or id of a merchant with a current offer. ${SEVERAL}`, 'techtonne'),
  minPrice: optional(price(), 'The minimum of the lowest total price.', 10),
  maxPrice: optional(price(), 'The maximum of the lowest total price.', 99.99),
  availability: optional(
    anyOf(AVAILABILITIES),
    'At least one offer has this availability; with `merchant`, that merchant’s offer. Several are separated by commas: one must match.',
    'in_stock',
  ),
  condition: optional(
    anyOf(CONDITIONS),
    'At least one offer is of goods in this condition; with `merchant` or `availability`, the same offer. Several are separated by commas: one must match.',
    'new',
  ),
  inStock: optional(
    flag(),
    '`true`: at least one offer is in stock; with `merchant` or `condition`, the same offer. `false` does not restrict the list.',
    true,
  ),
  minDiscount: optional(
    percentage(),
    'The minimum discount of the lowest total price from its 90-day average, in percent.',
    10,
  ),
  ...ATTRIBUTE_PARAMETERS,
};

/** The parameters whose arguments in tools may be lists. */
export const FILTER_AS_TOOL: NonNullable<Route['asTool']> = {
  without: [],
  lists: ['category', 'brand', 'merchant', 'availability', 'condition', ...Object.keys(ATTRIBUTE_PARAMETERS)],
  defaults: {},
};

const PLURALS = {
  category: 'categories',
  brand: 'brands',
  merchant: 'merchants',
  availability: 'availabilities',
} as const;

/**
 * The GraphQL filter of a request. One value stays in the field for one, so that lists with one value have the statements for it. Members
 * are in the order of the parameters, which cursors check.
 */
export function filterOf(values: ParameterValues): ProductFilterInput {
  const filter: Record<string, unknown> = { query: values.q };
  const put = (name: string, value: unknown) => {
    if (value !== undefined) filter[name] = value;
  };
  const putAny = (one: keyof typeof PLURALS) => {
    const given = textIn(values, one);
    const all = given === undefined ? [] : valuesOf(given);
    if (all.length > 1) put(PLURALS[one], all);
    else put(one, all[0]);
  };
  putAny('category');
  putAny('brand');
  putAny('merchant');
  put('minPrice', values.minPrice);
  put('maxPrice', values.maxPrice);
  putAny('availability');
  const conditions = textIn(values, 'condition');
  if (conditions !== undefined) put('conditions', valuesOf(conditions));
  if (values.inStock === true) put('inStock', true);
  put('minDiscount', values.minDiscount);
  const attributes = ATTRIBUTE_NAMES.flatMap((name) => {
    const given = textIn(values, attributeParameter(name));
    return given === undefined ? [] : [{ name, values: attributeValuesOf(given) }];
  });
  if (attributes.length > 0) put('attributes', attributes);
  return filter as ProductFilterInput;
}

const textIn = (values: ParameterValues, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};
