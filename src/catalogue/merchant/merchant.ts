/** Merchants: the shops whose offers are compared. */
import { loadOne } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';
import type { Merchant as MerchantRow } from '../../generated/prisma/client.ts';
import { encodeId } from '../../values/id.ts';
import { builder } from '../builder.ts';
import { listByName } from '../named-list.ts';
import { emptyPage, readPage } from '../page.ts';

const COLUMNS = `
  id, slug, name, url, observed_at AS "observedAt", created_at AS "createdAt", sort_name AS "sortName",
  offer_count AS "offerCount"`;

// By the primary key.
const MERCHANTS = `
  SELECT ${COLUMNS}
  FROM merchant
  WHERE id = ANY ($1::bigint[])`;

// By the unique index on merchant (slug).
const MERCHANTS_BY_SLUG = `
  SELECT ${COLUMNS}
  FROM merchant
  WHERE slug = ANY ($1::text[])`;

export const merchantsById = (database: Queryable) =>
  loadOne<bigint, MerchantRow>(database, MERCHANTS, (row) => row.id, { isNamed: true });
export const merchantsBySlug = (database: Queryable) =>
  loadOne<string, MerchantRow>(database, MERCHANTS_BY_SLUG, (row) => row.slug);

export const Merchant = builder.prismaObject('Merchant', {
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
});

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
        const list = listByName<MerchantRow>('merchant', COLUMNS, query);
        return list ? readPage(database, list, page) : emptyPage<MerchantRow>();
      },
    },
    {
      name: 'MerchantConnection',
      description: 'A page of merchants.',
      fields: (c) => ({
        totalCount: c.int({
          description: 'How many merchants the list has; 10000 where there are more.',
          resolve: async (page) => (await page.total()).count,
        }),
      }),
    },
    { name: 'MerchantEdge', description: 'A merchant in a list.' },
  ),
);
