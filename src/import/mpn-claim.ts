/** What a row says of the goods that its brand and MPN name, for shared-mpn.ts to compare. */
import { oneLine, unlessPlaceholder } from './field-text.ts';
import { mpnKey } from './product-fields.ts';
import type { FeedFields } from './readers/feed-row.ts';

export interface MpnClaim {
  /** The brand and MPN. */
  brandMpn: string;
  /** What must be the same in all rows for them to be about the same goods, except for the price. */
  looks: string;
}

/** The claim of a row; `undefined` if it states no brand or no MPN. Rows that are recognised have one too, since others are compared with it. */
export function mpnClaimOf({
  brand = '',
  mpn = '',
  title = '',
  color = '',
  size = '',
}: FeedFields): MpnClaim | undefined {
  if (brand === '' || mpn === '') return undefined;
  const brandName = unlessPlaceholder(oneLine(brand));
  const key = mpnKey(unlessPlaceholder(oneLine(mpn)) ?? '');
  if (brandName === undefined || key === undefined) return undefined;
  const looks = [title, color, size].map((text) => oneLine(text).toLowerCase());
  return { brandMpn: `${brandName.toLowerCase()}\n${key}`, looks: looks.join('\n') };
}
