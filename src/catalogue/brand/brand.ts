/** Brands. */
import { builder, nodeOf } from '../builder.ts';
import { readByName } from '../named-list.ts';
import { totalCount } from '../page.ts';
import { type BRAND, BRAND_COLUMNS, type BrandRow } from './read-brands.ts';

export const Brand = builder.prismaNode<'Brand', [], unknown, typeof BRAND>('Brand', {
  ...nodeOf('brand'),
  description: 'A brand, spelled as the shops spell it.',
  fields: (t) => ({
    slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    productCount: t.exposeInt('productCount', { description: 'The number of products of the brand.' }),
  }),
});

builder.queryField('brands', (t) =>
  t.connection(
    {
      type: Brand,
      description: 'Brands by name.',
      args: {
        query: t.arg.string({ description: 'A prefix of the name, ignoring accents and case; all by default.' }),
      },
      resolve: (_root, page, { catalogue }) => readByName<BrandRow>(catalogue, 'brand', BRAND_COLUMNS, page),
    },
    {
      name: 'BrandConnection',
      description: 'A page of brands.',
      fields: (c) => ({ totalCount: c.int(totalCount('brands')) }),
    },
    { name: 'BrandEdge', description: 'A brand in a list.' },
  ),
);
