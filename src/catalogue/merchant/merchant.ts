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
      slug: t.exposeString('slug', { description: 'The name in addresses; never changes.' }),
      name: t.exposeString('name', { description: 'The name to show.' }),
      url: t.exposeString('url', { nullable: true, description: "The address of the shop's own site." }),
      offerCount: t.exposeInt('offerCount', { description: 'How many offers the shop has now.' }),
      observedAt: t.field({
        type: 'DateTime',
        nullable: true,
        description: "The moment that the newest of the shop's feeds speaks of.",
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
      args: { query: t.arg.string({ description: 'How the name begins, accents and case apart; all by default.' }) },
      resolve: (_root, { query, ...page }, { database }) => {
        const list = listByName<MerchantRow>('merchant', MERCHANT_COLUMNS, query);
        return list ? readPage(database, list, page) : emptyPage<MerchantRow>();
      },
    },
    {
      name: 'MerchantConnection',
      description: 'A page of merchants.',
      fields: (c) => ({
        totalCount: c.int({
          ...cost({ weight: TOTAL_WEIGHT }),
          description: 'How many merchants the list has; 10000 where there are more.',
          resolve: async (page) => (await page.total()).count,
        }),
      }),
    },
    { name: 'MerchantEdge', description: 'A merchant in a list.' },
  ),
);
