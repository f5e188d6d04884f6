/** Merchants: the shops whose offers are compared. */

import type PrismaTypes from '../../generated/pothos.ts';
import { encodeId } from '../../values/id.ts';
import { builder } from '../builder.ts';
import { cost } from '../field-cost.ts';
import { listByName } from '../named-list.ts';
import { emptyPage, readPage, TOTAL_WEIGHT } from '../page.ts';
import { type MERCHANT, MERCHANT_COLUMNS, type MerchantRow } from './columns.ts';

export const Merchant = builder.prismaObject<'Merchant', [], PrismaTypes['Merchant'], unknown, typeof MERCHANT>(
  'Merchant',
  {
    description: 'A shop whose offers are compared.',
    fields: (t) => ({
      slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
      name: t.exposeString('name', { description: 'The name to show.' }),
      url: t.exposeString('url', { nullable: true, description: "The URL of the shop's website." }),
      offerCount: t.exposeInt('offerCount', { description: 'The number of current offers of the shop.' }),
      observedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: "The observation time of the shop's newest feed.",
        resolve: (merchant) => merchant.observedAt,
      }),
    }),
  },
);

builder.nodeRef(Merchant, {
  id: { resolve: (merchant: MerchantRow) => encodeId('merchant', merchant.id) },
  loadOne: (id, { loaders }) => loaders.merchant.load(BigInt(id)),
});

builder.queryField('merchants', (t) =>
  t.connection(
    {
      type: Merchant,
      description: 'Merchants by name.',
      args: {
        query: t.arg.string({ description: 'A prefix of the name, ignoring accents and case; all by default.' }),
      },
      resolve: (_root, { query, ...page }, { catalogue }) => {
        const list = listByName<MerchantRow>('merchant', MERCHANT_COLUMNS, query);
        return list ? readPage(catalogue, list, page) : emptyPage<MerchantRow>();
      },
    },
    {
      name: 'MerchantConnection',
      description: 'A page of merchants.',
      fields: (c) => ({
        totalCount: c.int({
          ...cost({ weight: TOTAL_WEIGHT }),
          description: 'The number of merchants in the list, at most 10000.',
          resolve: async (page) => (await page.total()).count,
        }),
      }),
    },
    { name: 'MerchantEdge', description: 'A merchant in a list.' },
  ),
);
