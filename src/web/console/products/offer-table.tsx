/** Offers with what the shops' rows stated, for an operator. */
import { formatGtin, type Gtin14 } from '../../../values/gtin.ts';
import { encodeId } from '../../../values/id.ts';
import { External } from '../../external-text.tsx';
import { numbers, ScrollTable } from '../../layout.tsx';
import { AVAILABILITY, CONDITION } from '../../product/words.ts';
import { Moment } from '../moment.tsx';
import { amountFormat } from './amounts.ts';
import type { ShownOffer } from './offer-pages.ts';

export function OfferTable({ offers, currency }: { offers: readonly ShownOffer[]; currency: string }) {
  if (offers.length === 0) return <p class="notice">No shop offers it now.</p>;
  const price = amountFormat(currency);
  return (
    <ScrollTable
      label="Offers"
      look="records"
      columns={[
        'Shop',
        'Offer',
        numbers('Total'),
        numbers('Price'),
        numbers('Shipping'),
        'State',
        'Its row states',
        'Changed (UTC)',
      ]}
    >
      {offers.map(({ id, merchant, sku, total, price: item, shipping, ...offer }) => (
        <tr key={id}>
          <th scope="row">
            <a href={offer.link} rel="nofollow noreferrer">
              <External>{merchant.name}</External>
            </a>
          </th>
          <td data-label="Offer">
            <span>
              {encodeId('offer', id)}, SKU <External>{sku}</External>
            </span>
          </td>
          <td data-label="Total" class="number">
            {price(total)}
          </td>
          <td data-label="Price" class="number">
            {price(item)}
          </td>
          <td data-label="Shipping" class="number">
            {price(shipping)}
          </td>
          <td data-label="State">
            {AVAILABILITY[offer.availability].words}, {CONDITION[offer.condition].words.toLowerCase()}
          </td>
          <td data-label="Row states">
            <Stated {...offer} />
          </td>
          <td data-label="Changed">
            <Moment at={offer.updatedAt} />
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

/** What led the offer to the product. An empty title is the product's name; null means that the row was not recorded. */
function Stated({ gtin, asin, title }: Pick<ShownOffer, 'gtin' | 'asin' | 'title'>) {
  if (title === null) return <span class="muted">not recorded</span>;
  const parts = [gtin && `GTIN ${formatGtin(gtin as Gtin14)}`, asin && `ASIN ${asin}`].filter(Boolean).join(', ');
  return (
    <span>
      {parts || 'no identifier'}
      {title !== '' && (
        <>
          ; <External>{title}</External>
        </>
      )}
    </span>
  );
}
