/** SQL for the unit prices of products, as `unitPriceOf` computes those of offers. */
import { BITS_OF_PRICE, BITS_OF_UNIT, HIGHEST, LOWEST, PARTS, THOUSANDTHS } from '../values/unit-price.ts';

const UNIT = 2n ** BITS_OF_UNIT - 1n;

/** SQL for the number of a unit price; null without one. @param total SQL for minor units. @param measure SQL for the number of an amount. */
export const unitPriceSql = (total: string, measure: string): string => `(
        SELECT ((exact.measure & ${UNIT}) << ${BITS_OF_PRICE}) + exact.price::bigint
        FROM (
          SELECT amount.measure, div(${total}::numeric * ${PARTS * THOUSANDTHS}, (amount.measure >> ${BITS_OF_UNIT})::numeric) AS price
          FROM (SELECT ${measure} AS measure) AS amount
        ) AS exact
        WHERE exact.price BETWEEN ${LOWEST} AND ${HIGHEST}
      )`;
