/** The offers of a product, cheapest first. On narrow screens each row is a card with labelled figures (product-page.css). */
import { priceFormat } from '../../values/price-format.ts';
import { ScrollTable } from '../layout.tsx';
import type { ShownOffer } from './product.ts';
import { AVAILABILITY, CONDITION } from './words.ts';

export function Offers({ offers, currency }: { offers: readonly ShownOffer[]; currency: string }) {
  if (offers.length === 0) return <p class="notice">No shop offers it now.</p>;
  const price = priceFormat(currency);
  const shippingWords = (shipping: number | null) =>
    shipping === null ? 'not stated' : shipping === 0 ? 'free' : price(shipping);
  return (
    <ScrollTable label="Offers" look="offers">
      <thead>
        <tr>
          <th scope="col">Shop</th>
          <th scope="col" class="number">
            Total
          </th>
          <th scope="col" class="number">
            Price
          </th>
          <th scope="col" class="number">
            Shipping
          </th>
          <th scope="col">Availability</th>
          <th scope="col">Condition</th>
        </tr>
      </thead>
      <tbody>
        {offers.map(({ id, merchantName, url, ...offer }) => (
          <tr key={id}>
            <th scope="row">
              <a href={url} rel="nofollow sponsored">
                {merchantName}
              </a>
            </th>
            <td class="number total">{price(offer.totalPrice)}</td>
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
      </tbody>
    </ScrollTable>
  );
}
