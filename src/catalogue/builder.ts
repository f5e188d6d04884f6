/** The builder of all GraphQL types, and the context of their resolvers. */
import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { GraphQLError } from 'graphql';
import type { Access } from '../access/access.ts';
import type PrismaTypes from '../generated/pothos.ts';
import { getDatamodel } from '../generated/pothos.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { isDay } from '../values/day.ts';
import { decodeId, encodeId, type IdKind, kindOfId } from '../values/id.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import { cost } from './field-cost.ts';
import type { KeepingQueryable } from './keep.ts';
import type { EventPlace } from './live-prices/event-place.ts';
import type { LivePrices } from './live-prices/live-prices.ts';
import type { Loaders } from './loaders.ts';
import type { Market } from './market.ts';

/** The context of a resolver. Everything except `access` and `events` is shared by concurrent requests. */
export interface Context {
  prisma: PrismaClient;
  /** For lists, whose SQL depends on the request. */
  catalogue: KeepingQueryable;
  loaders: Loaders;
  livePrices: LivePrices;
  market: Market;
  access: Access;
  /** Of a request that may be a subscription. */
  events?: EventPlace;
  /** True for the service's own documents, which list every offer of a product; unset for documents from clients. */
  listsAllOffers?: boolean;
}

/** The kinds of ids that belong to a key, which `node` does not show. */
const NO_NODES: ReadonlySet<IdKind> = new Set(['key', 'webhook', 'delivery', 'feed', 'feedRun']);

export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: false;
  DefaultNodeNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    Day: { Input: string; Output: string };
  };
}>({
  plugins: [PrismaPlugin, RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    // Types encode and decode their own ids with {@link nodeOf}, so that they are the same as in REST.
    encodeGlobalID: (_typename, id) => String(id),
    decodeGlobalID: (id) => {
      const kind = kindOfId(id);
      // Types have the names of the kinds. An invalid id matches no product.
      return { typename: kind && !NO_NODES.has(kind) ? kind.charAt(0).toUpperCase() + kind.slice(1) : 'Product', id };
    },
    idFieldOptions: { description: 'The opaque id, the same over REST.' },
    nodeTypeOptions: { description: 'An object that can be fetched by its id.' },
    nodeQueryOptions: {
      description: 'The object with the id; null if there is none.',
      args: { id: { description: 'The opaque id of a product, offer, merchant, brand, category or article.' } },
    },
    nodesQueryOptions: false,
    nodesOnConnection: {
      ...cost({ isSizedByParent: true }),
      description: 'The items on the page, without their cursors.',
    },
    cursorType: 'String',
    edgesFieldOptions: {
      ...cost({ isSizedByParent: true }),
      nullable: false,
      description: 'The items on the page, each with its cursor.',
    },
    nodeFieldOptions: { nullable: false, description: 'The item.' },
    cursorFieldOptions: { description: 'The position of the item in the list, for `after` and `before`.' },
    pageInfoFieldOptions: { description: 'The cursors at the ends of the page, and whether more pages exist.' },
    pageInfoTypeOptions: { description: 'The cursors at the ends of a page, and whether more pages exist.' },
    hasNextPageFieldOptions: { description: 'Whether more items follow this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether items precede this page.' },
    startCursorFieldOptions: { description: 'The cursor of the first item on the page; null if the page is empty.' },
    endCursorFieldOptions: { description: 'The cursor of the last item on the page; null if the page is empty.' },
    firstArgOptions: { description: 'The number of items from the start, 1 to 100; 20 by default.' },
    lastArgOptions: { description: 'The number of items from the end, 1 to 100, instead of `first`.' },
    afterArgOptions: { description: 'Start after the item with this cursor.' },
    beforeArgOptions: { description: 'End before the item with this cursor.' },
  },
  prisma: {
    client: (context) => context.prisma,
    dmmf: getDatamodel(),
  },
});

builder.scalarType('DateTime', {
  description: 'A time in UTC in RFC 3339 format, such as `2026-01-31T08:00:00Z`.',
  serialize: formatTimestamp,
  parseValue: () => {
    throw new Error('DateTime is an output type.');
  },
});

builder.scalarType('Day', {
  description: 'A day in UTC as `YYYY-MM-DD`, such as `2026-01-31`.',
  serialize: (day) => day,
  parseValue: (value) => {
    if (typeof value === 'string' && isDay(value)) return value;
    throw new GraphQLError('A Day must have the format YYYY-MM-DD, such as 2026-01-31.');
  },
});

builder.queryType({ description: 'The entry points of the API.' });

/** The number of the row with an id of a kind; 0, which no row has, if the id is invalid. */
export const numberOf = (kind: IdKind, id: string): bigint => decodeId(kind, id) ?? 0n;

/** The options of a node that Prisma Client reads by its id. */
export const nodeOf = (kind: IdKind) => ({
  id: { resolve: (row: { id: bigint }) => encodeId(kind, row.id) },
  findUnique: (id: string) => ({ id: numberOf(kind, id) }),
  nullable: true,
});
