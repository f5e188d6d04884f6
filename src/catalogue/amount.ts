/** The options of fields with amounts of money, which rows store in minor units. */
import type { Context } from './builder.ts';
import { amountIn } from './market.ts';

export const CURRENCY = {
  description: 'The currency of the amounts, ISO 4217.',
  resolve: (_parent: unknown, _arguments: object, { market }: Context) => market.currency,
};

/** The options of a float field with the amount of a column. @example price: t.float(amount('price', 'The price.')) */
export const amount = <Column extends string>(column: Column, description: string) => ({
  description,
  resolve: (row: Record<Column, bigint>, _arguments: object, { market }: Context) => amountIn(market, row[column]),
});

/** The same for a value that may be unknown. */
export const optionalAmount = <Column extends string>(column: Column, description: string) => ({
  nullable: true as const,
  description,
  resolve: (row: Record<Column, bigint | null | undefined>, _arguments: object, { market }: Context) => {
    const minorUnits = row[column];
    return minorUnits == null ? null : amountIn(market, minorUnits);
  },
});
