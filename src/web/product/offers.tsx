/** The offers of a product: cheapest first, those with unknown shipping after the others, sold-out ones last. On narrow screens each row is a card with labelled figures (product-page.css). */
import { priceFormat } from '../../values/price-format.ts';
import { numbers, ScrollTable } from '../layout.tsx';
import type { ShownOffer } from './product.ts';
import { AVAILABILITY, CONDITION, shippingRemark, UNIT } from './words.ts';

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
      {inOrder(offers).map(({ id, merchantName, url, ...offer }) => (
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

/** The offers in their order, but those with unknown shipping after the others, and sold-out ones last. */
function inOrder(offers: readonly ShownOffer[]): ShownOffer[] {
  const place = (offer: ShownOffer) => 2 * Number(isSoldOut(offer)) + Number(!offer.shippingKnown);
  return offers.toSorted((one, other) => place(one) - place(other));
}

/** The cheapest offer in stock, with known shipping if there is one; `undefined` if there are none. */
export const cheapestInStock = (offers: readonly ShownOffer[]): ShownOffer | undefined =>
  inOrder(offers).find(({ availability }) => availability === 'in_stock');

/** What follows the price of the cheapest offer in stock, such as ", used"; empty for new goods with known shipping. */
export function remarksOn({ totalPrice, condition, shippingKnown }: ShownOffer, offers: readonly ShownOffer[]): string {
  const isNewToo = offers.some(
    (offer) =>
      offer.availability === 'in_stock' &&
      offer.totalPrice === totalPrice &&
      offer.shippingKnown === shippingKnown &&
      offer.condition === 'new',
  );
  return (isNewToo ? '' : `, ${CONDITION[condition].words.toLowerCase()}`) + shippingRemark(shippingKnown);
}
