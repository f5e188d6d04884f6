/** The REST face as a table: each row a path, its parameters, and the GraphQL document that answers it. */
import { z } from 'zod';
import { explainNothing } from '../catalogue/lookup.ts';
import type { Route } from './route.ts';
import { serviceIndex } from './service-index.ts';

export const ROUTES: readonly Route[] = [
  {
    path: '/api/v1',
    summary: 'The service index: what there is and where.',
    access: 'public',
    parameters: z.object({}),
    source: { body: serviceIndex },
  },
  {
    path: '/api/v1/lookup',
    summary: 'Product, price statistics and all shop offers for one EAN/GTIN or ASIN.',
    access: 'key',
    parameters: z.object({
      ean: z.string().optional().meta({ description: 'EAN/GTIN, 13 to 14 digits.', example: '4006381333931' }),
      asin: z.string().optional().meta({ description: 'ASIN, 10 letters and digits.', example: 'B0DEMO0001' }),
    }),
    source: {
      document: `
        query Lookup($ean: String, $asin: String) {
          data: lookup(ean: $ean, asin: $asin) {
            identifier { ean asin mpn }
            product { _slug: slug _id: id name brand: brandName url }
            priceStats { currency min max lowestEver offerCount }
            offers { merchant: merchantName totalPrice availability url }
          }
        }`,
      explainNothing,
      links: ({ product }) => {
        const { _slug, _id } = product as { _slug: string; _id: string };
        return {
          item: `/api/v1/products/${_slug}`,
          collection: `/api/v1/products/${_id}/offers`,
          history: `/api/v1/products/${_id}/price-history`,
        };
      },
    },
  },
  {
    path: '/api/v1/plans',
    summary: 'The plans that keys are issued for.',
    access: 'public',
    parameters: z.object({}),
    source: {
      document: '{ data: plans { id name monthlyQuota priceEur description } }',
      nullable: ['priceEur'],
    },
  },
];
