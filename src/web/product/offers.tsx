/** The offers of a product: cheapest first, sold-out ones last. On narrow screens each row is a card with labelled figures (product-page.css). */
import { priceFormat } from '../../values/price-format.ts';
import { numbers, ScrollTable } from '../layout.tsx';
import type { ShownOffer } from './product.ts';
import { AVAILABILITY, CONDITION, UNIT } from './words.ts';

export function Offers({ offers, currency }: { offers: readonly ShownOffer[]; currency: string }) {
  if (offers.length === 0) return <p class="notice">No shop offers it now.</p>;
  const price = priceFormat(currency);
  const shippingWords = (shipping: number | null) =>
    shipping === null ? 'not stated' : shipping === 0 ? 'free' : price(shipping);
  return (
    <ScrollTable
      label="Offers"
      look="offers"
      columns={['Shop', numbers('Total'), numbers('Price'), numbers('Shipping'), 'Availability', 'Condition']}
    >
      {soldOutLast(offers).map(({ id, merchantName, url, ...offer }) => (
        <tr key={id} class={isSoldOut(offer) ? 'sold-out' : undefined}>
          <th scope="row">
            <a href={url} rel="nofollow sponsored">
              {merchantName}
            </a>
          </th>
          <td class="number total">
            {price(offer.totalPrice)}
            {offer.unitPrice && <small class="unit-price">{unitPriceText(offer.unitPrice, price)}</small>}
          </td>
          <td class="number item-price" data-label="Price">
            {price(offer.price)}
          </td>
          <td class="number shipping" data-label="Shipping">
            {shippingWords(offer.shipping)}
          </td>
          <td class="availability">
            <span class={`badge ${AVAILABILITY[offer.availability].look}`}>
              {AVAILABILITY[offer.availability].words}
            </span>
          </td>
          <td class="condition">{CONDITION[offer.condition].words}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}

/** A unit price, such as `€4.50 per kg`. */
const unitPriceText = ({ amount, per }: NonNullable<ShownOffer['unitPrice']>, price: (amount: number) => string) =>
  `${price(amount)} per ${UNIT[per]}`;

const isSoldOut = ({ availability }: Pick<ShownOffer, 'availability'>) => availability === 'out_of_stock';

/** The offers in their order, but sold-out ones after the others. */
function soldOutLast(offers: readonly ShownOffer[]): ShownOffer[] {
  return [...offers.filter((offer) => !isSoldOut(offer)), ...offers.filter(isSoldOut)];
}

/** The lowest total price of the offers in stock; `undefined` if there are none. */
export function lowestInStock(offers: readonly ShownOffer[]): number | undefined {
  const prices = offers.filter(({ availability }) => availability === 'in_stock').map(({ totalPrice }) => totalPrice);
  return prices.length > 0 ? Math.min(...prices) : undefined;
}

/** The condition in which goods cost the lowest price in stock, such as ", used"; empty for new goods. */
export function conditionAt(price: number, offers: readonly ShownOffer[]): string {
  const conditions = offers
    .filter(({ availability, totalPrice }) => availability === 'in_stock' && totalPrice === price)
    .map(({ condition }) => condition);
  const [first] = conditions;
  return first === undefined || conditions.includes('new') ? '' : `, ${CONDITION[first].words.toLowerCase()}`;
}
