/** SQL for the unit prices of products, as `unitPriceOf` computes those of offers. */
import {
  BITS_OF_PRICE,
  BITS_OF_UNIT,
  HIGHEST_UNIT_PRICE,
  LOWEST_UNIT_PRICE,
  PARTS_OF_BASE_UNIT,
  THOUSANDTHS_OF_MINOR_UNIT,
  UNIT_MASK,
} from '../values/unit-price.ts';

/** SQL for the number of a unit price; null without one. @param total SQL for minor units. @param measure SQL for the number of an amount. */
export const unitPriceSql = (total: string, measure: string): string => `(
        SELECT ((exact.measure & ${UNIT_MASK}) << ${BITS_OF_PRICE}) + exact.price::bigint
        FROM (
          SELECT amount.measure, div(${total}::numeric * ${PARTS_OF_BASE_UNIT * THOUSANDTHS_OF_MINOR_UNIT}, (amount.measure >> ${BITS_OF_UNIT})::numeric) AS price
          FROM (SELECT ${measure} AS measure) AS amount
        ) AS exact
        WHERE exact.price BETWEEN ${LOWEST_UNIT_PRICE} AND ${HIGHEST_UNIT_PRICE}
      )`;
