-- Clicks on all offers of a shop in a day (UTC). The report to a shop shows them, and must not read a row for each of its offers.
CREATE TABLE merchant_click (
  merchant_id BIGINT NOT NULL REFERENCES merchant (id),
  day         DATE   NOT NULL,
  count       INT    NOT NULL,
  PRIMARY KEY (merchant_id, day)
);

INSERT INTO merchant_click (merchant_id, day, count)
SELECT offer.merchant_id, click.day, sum(click.count)::int
FROM click
JOIN offer ON offer.id = click.offer_id
GROUP BY offer.merchant_id, click.day;
