/** Brands. */

import type PrismaTypes from '../../generated/pothos.ts';
import { encodeId } from '../../values/id.ts';
import { builder } from '../builder.ts';
import { cost } from '../field-cost.ts';
import { listByName } from '../named-list.ts';
import { emptyPage, readPage, TOTAL_WEIGHT } from '../page.ts';
import { type BRAND, BRAND_COLUMNS, type BrandRow } from './columns.ts';

export const Brand = builder.prismaObject<'Brand', [], PrismaTypes['Brand'], unknown, typeof BRAND>('Brand', {
  description: 'A brand, spelled as the shops spell it.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    productCount: t.exposeInt('productCount', { description: 'The number of products of the brand.' }),
  }),
});

builder.nodeRef(Brand, {
  id: { resolve: (brand: BrandRow) => encodeId('brand', brand.id) },
  loadOne: (id, { loaders }) => loaders.brand.load(BigInt(id)),
});

builder.queryField('brands', (t) =>
  t.connection(
    {
      type: Brand,
      description: 'Brands by name.',
      args: {
        query: t.arg.string({ description: 'A prefix of the name, ignoring accents and case; all by default.' }),
      },
      resolve: (_root, { query, ...page }, { catalogue }) => {
        const list = listByName<BrandRow>('brand', BRAND_COLUMNS, query);
        return list ? readPage(catalogue, list, page) : emptyPage<BrandRow>();
      },
    },
    {
      name: 'BrandConnection',
      description: 'A page of brands.',
      fields: (c) => ({
        totalCount: c.int({
          ...cost({ weight: TOTAL_WEIGHT }),
          description: 'The number of brands in the list, at most 10000.',
          resolve: async (page) => (await page.total()).count,
        }),
      }),
    },
    { name: 'BrandEdge', description: 'A brand in a list.' },
  ),
);
