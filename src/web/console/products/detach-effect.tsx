/** What a detachment does, or has done. */
import type { DetachReport } from '../../../import/detach-identifier.ts';
import { counted } from '../../../values/counted.ts';
import { External } from '../../external-text.tsx';
import { ScrollTable } from '../../layout.tsx';
import { Notice } from '../layout.tsx';
import { Moment } from '../moment.tsx';
import { PRODUCTS_PATH } from './paths.ts';

// A popular product may have thousands of offers.
const MOST_OFFERS = 100;

export function Effect({ report, isDone = false }: { report: DetachReport; isDone?: boolean }) {
  const { kind, value, from, merchant, isTakenOff, to, detachedAt, offers } = report;
  const name = `${kind.toUpperCase()} ${value}`;
  if (detachedAt) {
    return (
      <Notice>
        Nothing is changed: the {name} was detached from {from} on <Moment at={detachedAt} />.
      </Notice>
    );
  }
  return (
    <>
      {isDone && <Notice>It is done.</Notice>}
      <h2>{isDone ? 'What was changed' : 'What will change'}</h2>
      <ul>
        {merchant !== undefined && (
          <li>
            The claim of <External>{merchant}</External> to the {name} {isDone ? 'is void' : 'becomes void'}.
          </li>
        )}
        <li>
          {isTakenOff ? (
            <>
              {from} {isDone ? 'has lost' : 'loses'} the {name}; {isDone ? <New slug={to} /> : <Future slug={to} />}.
            </>
          ) : (
            <>
              {from ?? 'The product'} keeps the {name}, because other shops claim it too.
            </>
          )}
        </li>
        <li>
          {offers.length === 0
            ? 'No offer moves.'
            : `${counted(offers.length, 'offer')} ${isDone ? 'moved' : 'will move'}.`}
        </li>
      </ul>
      {offers.length > 0 && (
        <ScrollTable label="Moved offers" columns={['Offer', 'Shop', 'To']}>
          {offers.slice(0, MOST_OFFERS).map((offer) => (
            <tr key={offer.id}>
              <th scope="row">{offer.id}</th>
              <td>
                <External>{offer.merchant}</External>
              </td>
              <td>
                {offer.to === undefined ? (
                  'withdrawn: too many offers of the shop'
                ) : isDone ? (
                  <Product slug={offer.to} />
                ) : (
                  offer.to
                )}
              </td>
            </tr>
          ))}
        </ScrollTable>
      )}
      {offers.length > MOST_OFFERS && (
        <p class="muted">
          These are the first {MOST_OFFERS} of {offers.length} offers.
        </p>
      )}
    </>
  );
}

const Product = ({ slug }: { slug: string }) => (
  <a href={`${PRODUCTS_PATH}?query=${encodeURIComponent(slug)}`}>{slug}</a>
);

const New = ({ slug }: { slug: string | undefined }) =>
  slug === undefined ? <>no product has it now</> : <>{<Product slug={slug} />} has it now</>;

// The product may be a new one, which does not exist yet.
const Future = ({ slug }: { slug: string | undefined }) =>
  slug === undefined ? <>no product will have it</> : <>{slug} gets it</>;
