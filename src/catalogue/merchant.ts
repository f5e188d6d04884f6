/** Merchants: the shops whose offers are compared. */
import { loadOne } from '../database/batch.ts';
import type { Queryable } from '../database/database.ts';
import type { Merchant as MerchantRow } from '../generated/prisma/client.ts';
import { builder } from './builder.ts';
import { encodeId } from './id.ts';

// By the primary key.
const MERCHANTS = `
  SELECT id, slug, name, url, observed_at AS "observedAt", created_at AS "createdAt"
  FROM merchant
  WHERE id = ANY ($1::bigint[])`;

export const merchantsById = (database: Queryable) =>
  loadOne<bigint, MerchantRow>(database, MERCHANTS, (row) => row.id);

export const Merchant = builder.prismaObject('Merchant', {
  description: 'A shop whose offers are compared.',
  fields: (t) => ({
    id: t.id({
      description: 'The opaque id of the merchant.',
      resolve: (merchant) => encodeId('merchant', merchant.id),
    }),
    slug: t.exposeString('slug', { description: 'The name in addresses; never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    url: t.exposeString('url', { nullable: true, description: "The address of the shop's own site." }),
  }),
});
