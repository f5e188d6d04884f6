/** The stream of changes over GraphQL: what imports changed, in the order of their commits. */
import { present } from '../../database/batch.ts';
import { builder, numberOf } from '../builder.ts';
import { cost, wholeArgument } from '../field-cost.ts';
import { Merchant } from '../merchant/merchant.ts';
import { AvailabilityType, ConditionType } from '../offer/offer.ts';
import type { OfferLine } from '../offer/offer-line.ts';
import { Identifier } from '../product/identifier.ts';
import { Attribute } from '../product/product.ts';
import type { ProductLine } from '../product/product-line.ts';
import type { ChangeLine } from './change-line.ts';
import { ChangeTypeEnum } from './change-type.ts';
import { CHANGES_OF_A_REQUEST, type ChangePage, DEFAULT_CHANGES, MOST_CHANGES, readChanges } from './read-changes.ts';

const OfferState = builder.objectRef<OfferLine>('OfferState').implement({
  description: 'An offer at one moment: before or after a change, or in an export.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The opaque id of the offer.' }),
    productId: t.exposeID('productId', { description: 'The id of the product that is offered.' }),
    merchant: t.field({
      type: Merchant,
      description: 'The shop.',
      resolve: ({ merchant }, _arguments, { loaders }) =>
        loaders.merchant.load(numberOf('merchant', merchant.id)).then(present),
    }),
    price: t.exposeFloat('price', { description: 'The price without shipping, including taxes.' }),
    shipping: t.exposeFloat('shipping', {
      nullable: true,
      description: 'The lowest shipping cost in the market; null if the shop does not state it.',
    }),
    shippingKnown: t.exposeBoolean('shippingKnown', { description: 'Whether the shop states the shipping.' }),
    totalPrice: t.exposeFloat('totalPrice', { description: 'Price plus shipping, if the shop states it.' }),
    currency: t.exposeString('currency', { description: 'The currency of the amounts, ISO 4217.' }),
    availability: t.expose('availability', { type: AvailabilityType, description: 'Whether it could be bought then.' }),
    condition: t.expose('condition', { type: ConditionType, description: 'The condition of the goods.' }),
    url: t.exposeString('url', { description: 'The path on this server that redirects to the offer in the shop.' }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'The time of the last observed change of the offer.',
      resolve: ({ updatedAt }) => new Date(updatedAt),
    }),
  }),
});

const RecordedCategory = builder.objectRef<NonNullable<ProductLine['category']>>('RecordedCategory').implement({
  description: 'A category as it was called then.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The opaque id of the category.' }),
    slug: t.exposeString('slug', { description: 'The name used in URLs.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
  }),
});

// Imports assign no more of one kind to a product.
const MOST_OF_A_KIND = 50;

const RecordedIdentifiers = builder.objectRef<ProductLine['identifiers']>('RecordedIdentifiers').implement({
  description: 'All EAN/GTINs and ASINs of a product, the primary one of each kind first.',
  fields: (t) => ({
    ean: t.exposeStringList('ean', { ...cost({ items: MOST_OF_A_KIND }), description: 'All EAN/GTINs.' }),
    asin: t.exposeStringList('asin', { ...cost({ items: MOST_OF_A_KIND }), description: 'All ASINs.' }),
  }),
});

const ProductState = builder.objectRef<ProductLine>('ProductState').implement({
  description: 'A product at one moment: before or after a change, or in an export. Prices belong to its offers.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The opaque id of the product.' }),
    slug: t.exposeString('slug', { description: 'The name used in URLs. It never changes.' }),
    name: t.exposeString('name', { description: 'The name to show.' }),
    brand: t.exposeString('brand', {
      nullable: true,
      description: 'The name of the brand; null if no shop states one.',
    }),
    category: t.expose('category', {
      type: RecordedCategory,
      nullable: true,
      description: 'The most specific known category; null if none is known.',
    }),
    identifier: t.expose('identifier', { type: Identifier, description: 'The primary identifier of each kind.' }),
    identifiers: t.expose('identifiers', { type: RecordedIdentifiers, description: 'All EAN/GTINs and ASINs.' }),
    description: t.exposeString('description', { nullable: true, description: 'The description in plain text.' }),
    attributes: t.expose('attributes', {
      type: [Attribute],
      ...cost({ items: 4 }),
      nullable: true,
      description: 'Distinguishing properties such as colour and size; null if no shop states any.',
    }),
    image: t.exposeString('image', { nullable: true, description: 'The URL of a picture.' }),
    url: t.exposeString('url', { description: 'The URL of the product.' }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'The time of first observation.',
      resolve: ({ createdAt }) => new Date(createdAt),
    }),
  }),
});

const ChangeState = builder.unionType('ChangeState', {
  description: 'What changed: an offer, or the fields of a product.',
  types: [OfferState, ProductState],
  resolveType: (state) => ('totalPrice' in state ? 'OfferState' : 'ProductState'),
});

const Change = builder.objectRef<ChangeLine>('Change').implement({
  description: 'A change of an offer or of a product by one import.',
  fields: (t) => ({
    // Numbers pass 2³¹, the end of Int. A Float holds whole numbers up to 2⁵³, and REST has the same number.
    seq: t.exposeFloat('seq', {
      description: 'The number of the change, a whole number. Numbers rise in the order of commits, with gaps.',
    }),
    at: t.field({ type: 'DateTime', description: 'The time of the commit.', resolve: ({ at }) => new Date(at) }),
    observedAt: t.field({
      type: 'DateTime',
      description: "The time in the shop's feed.",
      resolve: ({ observedAt }) => new Date(observedAt),
    }),
    types: t.expose('types', { type: [ChangeTypeEnum], ...cost({ items: 3 }), description: 'What changed.' }),
    productId: t.exposeID('productId', {
      description: 'The id of the product; of an offer that moved, of the one that it moved to.',
    }),
    offerId: t.exposeID('offerId', { nullable: true, description: 'The id of the offer; null for a product.' }),
    before: t.expose('before', {
      type: ChangeState,
      nullable: true,
      description: 'The offer or the product before the change; null if it was not listed.',
    }),
    after: t.expose('after', {
      type: ChangeState,
      nullable: true,
      description: 'The offer or the product after the change; null if it is not listed any more.',
    }),
  }),
});

const Page = builder.objectRef<ChangePage>('ChangePage').implement({
  description: 'A page of the stream of changes.',
  fields: (t) => ({
    nodes: t.expose('nodes', {
      type: [Change],
      ...cost({ isSizedByParent: true }),
      description: 'The changes, in the order of commits.',
    }),
    nextCursor: t.exposeString('nextCursor', {
      description: 'The position after this page, for `after`; present on an empty page, too.',
    }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether more can be read now.' }),
  }),
});

builder.queryField('changes', (t) =>
  t.field({
    type: Page,
    ...cost({
      chargesMore: true,
      weight: 20,
      itemsBelow: (argument) => wholeArgument(argument('first'), DEFAULT_CHANGES, MOST_CHANGES),
    }),
    description: `What imports changed, in the order of their commits. Costs one request for each ${CHANGES_OF_A_REQUEST} changes begun, at least one; a page is shortened to what remains of the quota. An unknown merchant, category, brand or product matches nothing.`,
    args: {
      after: t.arg.string({
        description:
          '`nextCursor` of the last page, or of an export. `now` starts after the last change; without it, the page starts with the oldest change that is kept. It stays valid with other filters.',
      }),
      first: t.arg.int({ description: `The number of changes, 1 to ${MOST_CHANGES}; ${DEFAULT_CHANGES} by default.` }),
      types: t.arg({ type: [ChangeTypeEnum], description: 'Only changes with one of these types.' }),
      merchant: t.arg.string({ description: 'Only offers of the merchant with this slug or id.' }),
      category: t.arg.string({
        description: 'Only products that now are in the category with this slug or id, or in one below it.',
      }),
      brand: t.arg.string({ description: 'Only products that now have the brand with this slug or id.' }),
      products: t.arg.idList({ description: 'Only these products and their offers: up to 100 slugs or ids.' }),
    },
    resolve: (_root, asked, context) => readChanges(asked, context),
  }),
);
