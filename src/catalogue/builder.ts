/** The one builder that all GraphQL types are made with, and what their resolvers are given. */
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import type { Access } from '../access/access.ts';
import type PrismaTypes from '../generated/pothos.ts';
import { getDatamodel } from '../generated/pothos.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Loaders } from './loaders.ts';
import type { Market } from './market.ts';

/** What a resolver may use. All but `access` is shared by the requests in flight. */
export interface Context {
  prisma: PrismaClient;
  loaders: Loaders;
  market: Market;
  access: Access;
}

export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
  };
}>({
  plugins: [PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.prisma,
    dmmf: getDatamodel(),
  },
});

builder.scalarType('DateTime', {
  description: 'A moment in UTC as RFC 3339 writes it, such as `2026-01-31T08:00:00Z`.',
  serialize: (moment) => formatMoment(moment),
  parseValue: () => {
    throw new Error('DateTime is an output type.');
  },
});

builder.queryType({ description: 'What can be asked.' });

/** RFC 3339 in UTC; whole seconds without a fraction. */
export function formatMoment(moment: Date): string {
  return moment.toISOString().replace('.000Z', 'Z');
}
