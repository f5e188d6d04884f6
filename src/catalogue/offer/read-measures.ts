/** The amounts of goods in offers. Apart from the offers, because no lookup shows them and few catalogues have any. */
import { batched } from '../../database/batch.ts';
import type { Queryable } from '../../database/database.ts';

// By offer_measure_idx alone.
const MEASURES = `
  SELECT offer.product_id AS "productId", offer.id, offer.measure
  FROM offer
  WHERE offer.product_id = ANY ($1::bigint[]) AND offer.measure IS NOT NULL AND offer.withdrawn_at IS NULL`;

/** The numbers of amounts (values/unit-price.ts) of the listed offers of a product that have one, by the offer's number. */
export const measuresByProduct = (database: Queryable) =>
  batched<bigint, ReadonlyMap<bigint, bigint>>(async (ids) => {
    const rows = await database.query<{ productId: bigint; id: bigint; measure: bigint }>(MEASURES, [ids], {
      name: 'measures',
      batchSize: ids.length,
    });
    const byProduct = new Map<bigint, Map<bigint, bigint>>();
    for (const { productId, id, measure } of rows) {
      const measures = byProduct.get(productId) ?? new Map<bigint, bigint>();
      byProduct.set(productId, measures.set(id, measure));
    }
    return ids.map((id) => byProduct.get(id) ?? NONE);
  });

const NONE: ReadonlyMap<bigint, bigint> = new Map();
