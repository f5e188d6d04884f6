/** What a unit of goods costs, such as a litre. */
import { BASE_UNITS, type BaseUnit, decodeUnitPrice, type UnitPrice, unitPriceOf } from '../../values/unit-price.ts';
import { amount } from '../amount.ts';
import { builder } from '../builder.ts';
import { Offer } from '../offer/offer.ts';
import type { ProductRow } from './columns.ts';
import { Product } from './product.ts';

const UNITS: Readonly<Record<BaseUnit, string>> = {
  kg: 'One kilogram.',
  l: 'One litre.',
  m: 'One metre.',
  m2: 'One square metre.',
  m3: 'One cubic metre.',
  ct: 'One piece.',
};

const BaseUnitType = builder.enumType('BaseUnit', {
  description: `The units of unit prices. Lists by unit price group them in this order: ${BASE_UNITS.join(', ')}.`,
  values: Object.fromEntries(BASE_UNITS.map((unit) => [unit, { value: unit, description: UNITS[unit] }])) as Record<
    BaseUnit,
    { value: BaseUnit; description: string }
  >,
});

const UnitPriceType = builder.objectRef<UnitPrice>('UnitPrice').implement({
  description: 'The price of a unit of the goods.',
  fields: (t) => ({
    amount: t.float(amount('amount', 'The price of the unit, rounded.')),
    per: t.expose('per', { type: BaseUnitType, description: 'The unit.' }),
  }),
});

builder.objectField(Offer, 'unitPrice', (t) =>
  t.field({
    type: UnitPriceType,
    nullable: true,
    description:
      'What a unit of the goods costs at the total price; null if the amount of the goods is not known, or if the price rounds to 0.',
    resolve: async ({ id, productId, total }, _arguments, { loaders }) => {
      const measure = (await loaders.measuresOfProduct.load(productId)).get(id);
      return (measure !== undefined && unitPriceOf(total, measure)) || null;
    },
  }),
);

builder.objectField(Product, 'unitPrice', (t) =>
  t.field({
    type: UnitPriceType,
    nullable: true,
    description: 'That of the cheapest offer, at the lowest total price; null if it has none.',
    resolve: async ({ id, unitPrice }: ProductRow, _arguments, { loaders }) => {
      const encoded = unitPrice === undefined ? (await loaders.product.load(id))?.unitPrice : unitPrice;
      return encoded == null ? null : decodeUnitPrice(encoded);
    },
  }),
);
