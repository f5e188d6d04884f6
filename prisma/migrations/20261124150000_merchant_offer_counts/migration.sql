-- Until now, the offers that another shop's feed or an operator withdrew were still counted. Full feeds count anew, but deltas only add and subtract.
WITH corrected AS (
  UPDATE merchant
  SET offer_count = counted.offers
  FROM (
    SELECT merchant.id,
           (SELECT count(*) FROM offer WHERE offer.merchant_id = merchant.id AND offer.withdrawn_at IS NULL)::int AS offers
    FROM merchant
  ) AS counted
  WHERE merchant.id = counted.id AND merchant.offer_count <> counted.offers
  RETURNING 1
)
UPDATE catalogue_version SET version = version + 1 WHERE id = 1 AND EXISTS (SELECT FROM corrected);
