/** Merchants: the shops whose offers are compared. */
import { builder, nodeOf } from '../builder.ts';
import { readByName } from '../named-list.ts';
import { totalCount } from '../page.ts';
import { type MERCHANT, MERCHANT_COLUMNS, type MerchantRow } from './read-merchants.ts';

export const Merchant = builder.prismaNode<'Merchant', [], unknown, typeof MERCHANT>('Merchant', {
  ...nodeOf('merchant'),
  description: 'A shop whose offers are compared.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    url: t.exposeString('url', { nullable: true, description: "The URL of the shop's website." }),
    offerCount: t.exposeInt('offerCount', { description: 'The number of current offers of the shop.' }),
    observedAt: t.expose('observedAt', {
      type: 'DateTime',
      nullable: true,
      description: "The observation time of the shop's newest feed.",
    }),
  }),
});

builder.queryField('merchants', (t) =>
  t.connection(
    {
      type: Merchant,
      description: 'Merchants by name.',
      args: {
        query: t.arg.string({ description: 'A prefix of the name, ignoring accents and case; all by default.' }),
      },
      resolve: (_root, page, { catalogue }) => readByName<MerchantRow>(catalogue, 'merchant', MERCHANT_COLUMNS, page),
    },
    {
      name: 'MerchantConnection',
      description: 'A page of merchants.',
      fields: (c) => ({ totalCount: c.int(totalCount('merchants')) }),
    },
    { name: 'MerchantEdge', description: 'A merchant in a list.' },
  ),
);
