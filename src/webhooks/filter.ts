/** The filter of a webhook: checks what a client sends, and finds the rows that it names. */
import { invalid } from '../catalogue/arguments.ts';
import { amountIn, type Market } from '../catalogue/market.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { parseAsin } from '../values/asin.ts';
import { isGtin14, parseEanParameter } from '../values/gtin.ts';
import { decodeId, type IdKind } from '../values/id.ts';
import { fromMajor } from '../values/money.ts';
import { KIND_NAMES, KINDS, type WebhookKind } from './kinds.ts';

/** The most codes in a filter. */
export const MOST_CODES = 1_000;
/** The largest `minPercent`. */
export const MOST_PERCENT = 1_000;

/** A filter as clients send it; amounts in major units. Null counts as absent. */
export interface AskedFilter {
  product?: string | null | undefined;
  category?: string | null | undefined;
  brand?: string | null | undefined;
  merchant?: string | null | undefined;
  minPercent?: number | null | undefined;
  below?: number | null | undefined;
  codes?: readonly string[] | null | undefined;
}

/** A filter as it is stored. */
export interface Filter {
  productId: bigint | null;
  categoryId: bigint | null;
  brandId: bigint | null;
  merchantId: bigint | null;
  /** Hundredths of a percent. */
  minPercent: number | null;
  /** Minor units. */
  below: bigint | null;
  /** GTINs of 14 digits and ASINs in upper case. */
  codes: string[];
}

const SCOPE = ['product', 'category', 'brand', 'merchant'] as const;

/** The kinds of a webhook, each once. @throws {Problem} `invalid_parameter` if there are none. */
export function readKinds(kinds: readonly WebhookKind[]): WebhookKind[] {
  if (kinds.length === 0 || kinds.length > KIND_NAMES.length) {
    throw invalid(
      'kinds',
      `\`kinds\` must name 1 to ${KIND_NAMES.length} kinds of messages: ${KIND_NAMES.join(', ')}.`,
    );
  }
  return [...new Set(kinds)];
}

/** Reads a filter for these kinds. @throws {Problem} `invalid_parameter` for a member that is missing, malformed, unknown or without effect. */
export async function readFilter(
  kinds: readonly WebhookKind[],
  asked: AskedFilter,
  market: Market,
  prisma: PrismaClient,
): Promise<Filter> {
  requireFitting(kinds, asked);
  const minPercent = readPercent(asked.minPercent);
  const below = readAmount(asked.below, market);
  const codes = readCodes(asked.codes);
  const [productId, categoryId, brandId, merchantId] = await Promise.all([
    asked.product == null ? null : findProduct(asked.product, prisma),
    find('category', asked.category, (where) => prisma.category.findFirst({ where, select: { id: true } })),
    find('brand', asked.brand, (where) => prisma.brand.findFirst({ where, select: { id: true } })),
    find('merchant', asked.merchant, (where) => prisma.merchant.findFirst({ where, select: { id: true } })),
  ]);
  return { productId, categoryId, brandId, merchantId, minPercent, below, codes };
}

/** Refuses a filter that lacks what a kind needs, or has what no kind uses. */
function requireFitting(kinds: readonly WebhookKind[], asked: AskedFilter): void {
  const scoped = kinds.find((kind) => KINDS[kind].needsScope);
  const scope = SCOPE.find((member) => asked[member] != null);
  if (scoped && !scope) {
    throw invalid(
      'filter',
      `\`${scoped}\` needs a \`product\`, \`category\`, \`brand\` or \`merchant\` in \`filter\`: for all changes, use /api/v1/changes.`,
    );
  }
  if (!scoped && scope) {
    throw invalid(
      `filter.${scope}`,
      `\`${scope}\` has no effect on product_found: leave it out, or add a kind that uses it to \`kinds\`.`,
    );
  }
  for (const kind of KIND_NAMES) {
    const { own } = KINDS[kind];
    if (!own) continue;
    const isGiven = asked[own.member] != null;
    if (isGiven && !kinds.includes(kind)) {
      throw invalid(
        `filter.${own.member}`,
        `\`${own.member}\` is for ${kind} only: leave it out, or add ${kind} to \`kinds\`.`,
      );
    }
    if (!isGiven && own.isRequired && kinds.includes(kind)) {
      throw invalid(`filter.${own.member}`, `\`${kind}\` needs \`${own.member}\` in \`filter\`: send it.`);
    }
  }
}

function readPercent(percent: number | null | undefined): number | null {
  if (percent == null) return null;
  const hundredths = Math.round(percent * 100);
  if (hundredths / 100 === percent && hundredths >= 1 && percent <= MOST_PERCENT) return hundredths;
  throw invalid('filter.minPercent', `\`minPercent\` must be from 0.01 to ${MOST_PERCENT}, with at most two decimals.`);
}

// PostgreSQL could hold more, but a JSON number could not.
const MOST_MINOR_UNITS = 10 ** 14;

function readAmount(amount: number | null | undefined, market: Market): bigint | null {
  if (amount == null) return null;
  const minor = fromMajor(amount, market.currency);
  if (minor !== undefined && minor > 0 && minor <= MOST_MINOR_UNITS) return BigInt(minor);
  const least = amountIn(market, 1n);
  throw invalid('filter.below', `\`below\` must be an amount in ${market.currency}, a multiple of ${least} above 0.`);
}

function readCodes(codes: readonly string[] | null | undefined): string[] {
  if (codes == null) return [];
  if (codes.length === 0 || codes.length > MOST_CODES) {
    throw invalid('filter.codes', `\`codes\` must have 1 to ${MOST_CODES} entries; it has ${codes.length}.`);
  }
  return [...new Set(codes.map((code, index) => readCode(code, `filter.codes[${index}]`)))];
}

/** A GTIN of 14 digits, or an ASIN in upper case. */
function readCode(code: string, parameter: string): string {
  const ean = parseEanParameter(code);
  if (ean.kind === 'gtin') return ean.gtin;
  if (ean.kind === 'wrong_check_digit') throw invalid(parameter, `${ean.detail}: correct it.`);
  const asin = parseAsin(code);
  if (asin) return asin;
  throw invalid(parameter, 'Each code must be a GTIN of 13 or 14 digits, or an ASIN of 10 letters and digits.');
}

type Where = { id: bigint } | { slug: string };

/** The row with a slug or an id; null if none is asked for. */
async function find(
  kind: Exclude<(typeof SCOPE)[number], 'product'> & IdKind,
  reference: string | null | undefined,
  read: (where: Where) => Promise<{ id: bigint } | null>,
): Promise<bigint | null> {
  if (reference == null) return null;
  const row = await read(whereOf(kind, reference));
  if (row) return row.id;
  throw invalid(`filter.${kind}`, `No ${kind} has the slug or id of \`${kind}\`: check it.`);
}

// No slug contains a NUL character, which PostgreSQL refuses in a text.
function whereOf(kind: IdKind, reference: string): Where {
  const id = decodeId(kind, reference);
  return id === undefined ? { slug: reference.includes('\0') ? '' : reference } : { id };
}

async function findProduct(reference: string, prisma: PrismaClient): Promise<bigint> {
  const select = { id: true } as const;
  const row = await prisma.product.findFirst({ where: whereOf('product', reference), select });
  if (row) return row.id;
  const gtin = reference.padStart(14, '0');
  const value = isGtin14(gtin) ? gtin : parseAsin(reference);
  const named =
    value === undefined
      ? null
      : await prisma.productIdentifier.findFirst({ where: { value }, select: { productId: true } });
  if (named) return named.productId;
  throw invalid('filter.product', 'No product has the slug, id, GTIN or ASIN of `product`: check it.');
}
