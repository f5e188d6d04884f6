/** What shops contributed to a product: its identifiers with the claims to them, its fields, and what was detached. */
import type { ProductReport } from '../../../import/identifier-report.ts';
import { External } from '../../external-text.tsx';
import { ScrollTable } from '../../layout.tsx';
import { Moment } from '../moment.tsx';
import { PRODUCTS_PATH, productPath } from './paths.ts';

type Identifiers = ProductReport['identifiers'];

const NOT_RECORDED = 'not recorded';

export function IdentifierTable({ id, identifiers }: { id: string; identifiers: Identifiers }) {
  if (identifiers.length === 0) return <p class="notice">The product has no GTIN and no ASIN.</p>;
  return (
    <ScrollTable
      label="Identifiers"
      look="records"
      columns={['Identifier', 'From', 'Since (UTC)', 'Stated by', 'Disputed by', '']}
    >
      {identifiers.map(({ kind, value, merchant, claimedAt, statedBy, disputedBy }) => (
        <tr key={`${kind} ${value}`}>
          <th scope="row">
            {kind.toUpperCase()} {value}
          </th>
          <td data-label="From">
            {merchant === undefined ? claimedAt ? 'an operator' : NOT_RECORDED : <External>{merchant}</External>}
          </td>
          <td data-label="Since">{claimedAt && <Moment at={claimedAt} />}</td>
          <td data-label="Stated by">
            <Names names={statedBy} />
          </td>
          <td data-label="Disputed by">
            {disputedBy.length > 0 && (
              <ul class="plain">
                {disputedBy.slice(0, MOST_NAMES).map((dispute) => (
                  <li key={`${dispute.merchant} ${dispute.product}`}>
                    <External>{dispute.merchant}</External>: belongs to{' '}
                    <a href={`${PRODUCTS_PATH}?query=${encodeURIComponent(dispute.product)}`}>{dispute.product}</a>,
                    with {dispute.with.kind.toUpperCase()} {dispute.with.value}
                  </li>
                ))}
                <More names={disputedBy} />
              </ul>
            )}
          </td>
          <td>
            <a
              class="button quiet small"
              href={`${productPath(id)}/detach?identifier=${value}`}
              aria-label={`Detach ${kind.toUpperCase()} ${value}`}
            >
              Detach…
            </a>
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

// An identifier may be stated by hundreds of shops; `pda identifiers list` shows all.
const MOST_NAMES = 10;

function Names({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <ul class="plain">
      {names.slice(0, MOST_NAMES).map((name) => (
        <li key={name}>
          <External>{name}</External>
        </li>
      ))}
      <More names={names} />
    </ul>
  );
}

function More({ names }: { names: readonly unknown[] }) {
  return names.length > MOST_NAMES ? <li class="muted">and {names.length - MOST_NAMES} more</li> : null;
}

/** The fields with the shops that filled them in, and the detachments. */
export function Contributions({ report: { fields, detached } }: { report: ProductReport }) {
  return (
    <>
      <section>
        <h2>Fields</h2>
        <ScrollTable label="Fields" look="records" columns={['Field', 'From', 'Since (UTC)']}>
          {fields.map(({ field, merchant, filledAt }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td data-label="From">{merchant === undefined ? NOT_RECORDED : <External>{merchant}</External>}</td>
              <td data-label="Since">{filledAt && <Moment at={filledAt} />}</td>
            </tr>
          ))}
        </ScrollTable>
      </section>
      {detached.length > 0 && (
        <section>
          <h2>Detached</h2>
          <ScrollTable label="Detached" look="records" columns={['Identifier', 'What', 'Since (UTC)']}>
            {detached.map(({ kind, value, merchant, detachedAt }) => (
              <tr key={`${kind} ${value} ${merchant}`}>
                <th scope="row">
                  {kind.toUpperCase()} {value}
                </th>
                <td data-label="What">
                  {merchant === undefined ? (
                    'from this product'
                  ) : (
                    <>
                      the claim of <External>{merchant}</External> is void
                    </>
                  )}
                </td>
                <td data-label="Since">
                  <Moment at={detachedAt} />
                </td>
              </tr>
            ))}
          </ScrollTable>
        </section>
      )}
    </>
  );
}
