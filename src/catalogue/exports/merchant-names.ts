/** The shop of a row, joined by its statement. */

export interface MerchantNames {
  merchantId: bigint;
  merchantSlug: string;
  merchantName: string;
}

/** SQL for the slug and the name of the joined `merchant`. */
export const MERCHANT_NAMES = 'merchant.slug AS "merchantSlug", merchant.name AS "merchantName"';

/** The shop as the renderers of lines take it. */
export const merchantOf = ({ merchantId, merchantSlug, merchantName }: MerchantNames) => ({
  id: merchantId,
  slug: merchantSlug,
  name: merchantName,
});
