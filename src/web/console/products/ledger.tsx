/** `/console/products/{id}/ledger`: the raw entries of a product's ledger, by offer, each offer's newest first. */
import { requireProduct } from '../../../import/identifier-name.ts';
import { Problem } from '../../../problem.ts';
import { decodeId, encodeId } from '../../../values/id.ts';
import { External } from '../../external-text.tsx';
import { numbers, ScrollTable } from '../../layout.tsx';
import { Moment } from '../moment.tsx';
import { NextPage } from '../next-page.tsx';
import type { ConsoleRoute } from '../visit.ts';
import { amountFormat } from './amounts.ts';
import { type LedgerRow, readEntries } from './ledger-pages.ts';
import { idOf, PRODUCTS_PATH, productPath } from './paths.ts';
import { ProductLink } from './product-link.tsx';

export const ledgerRoute: ConsoleRoute = {
  path: `${PRODUCTS_PATH}/{id}/ledger`,
  async show(visit) {
    const { database, market } = visit.services;
    const { id, number } = idOf(visit);
    const { query } = visit;
    const offer = query.get('offer') || undefined;
    const offerId = offer === undefined ? undefined : decodeId('offer', offer);
    if (offer !== undefined && offerId === undefined)
      throw new Problem('invalid_parameter', 'The offer must be an id such as off_1.');
    const product = await requireProduct(database, id);
    const { entries, next } = await readEntries(database, { productId: number, offerId }, query.get('after'));
    const path = `${productPath(id)}/ledger`;
    return {
      title: 'Raw ledger',
      section: PRODUCTS_PATH,
      styles: ['console-pages.css'],
      content: (
        <>
          <ProductLink id={id} name={product.name} />
          {offer === undefined ? (
            <p class="muted">By offer, the newest entry of each first. Choose an offer to see only its entries.</p>
          ) : (
            <p>
              Only {offer}. <a href={path}>Show all offers</a>
            </p>
          )}
          {entries.length === 0 ? (
            <p class="notice">The ledger has no entries for it.</p>
          ) : (
            <Entries entries={entries} path={path} currency={market.currency} />
          )}
          <NextPage path={path} query={{ offer }} cursor={next} />
        </>
      ),
    };
  },
};

interface EntriesProps {
  entries: readonly LedgerRow[];
  path: string;
  currency: string;
}

function Entries({ entries, path, currency }: EntriesProps) {
  const price = amountFormat(currency);
  return (
    <ScrollTable
      label="Ledger"
      look="records"
      columns={[
        'Observed (UTC)',
        'Offer',
        'Shop',
        numbers('Total'),
        numbers('Price'),
        numbers('Shipping'),
        numbers('Regular'),
        'Sale (UTC)',
        'Availability',
        'Condition',
        numbers('Import'),
      ]}
    >
      {entries.map((entry) => {
        const offer = encodeId('offer', entry.offerId);
        return (
          <tr key={`${offer} ${entry.observedAt.getTime()} ${entry.importRunId}`}>
            <th scope="row">
              <Moment at={entry.observedAt} />
            </th>
            <td data-label="Offer">
              <a href={`${path}?offer=${offer}`}>{offer}</a>
            </td>
            <td data-label="Shop">{entry.merchant !== undefined && <External>{entry.merchant}</External>}</td>
            <td data-label="Total" class="number">
              {entry.total === null ? 'not listed' : price(entry.total)}
            </td>
            <td data-label="Price" class="number">
              {price(entry.price)}
            </td>
            <td data-label="Shipping" class="number">
              {price(entry.shipping)}
            </td>
            <td data-label="Regular" class="number">
              {price(entry.regularPrice)}
            </td>
            <td data-label="Sale">
              {entry.saleFrom && (
                <>
                  <Moment at={entry.saleFrom} />{' '}
                </>
              )}
              {entry.saleUntil && (
                <>
                  to <Moment at={entry.saleUntil} />
                </>
              )}
            </td>
            <td data-label="Availability">{entry.availability}</td>
            <td data-label="Condition">{entry.condition}</td>
            <td data-label="Import" class="number">
              {String(entry.importRunId)}
            </td>
          </tr>
        );
      })}
    </ScrollTable>
  );
}
