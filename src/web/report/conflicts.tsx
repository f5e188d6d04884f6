/** The identifiers in a shop's feed that contradict the catalogue. */
import type { FeedReport } from '../../feeds/feed-report.ts';
import { ScrollTable } from '../layout.tsx';
import { Moment } from './moment.tsx';
import { count } from './words.ts';

export function Conflicts({ conflicts: { total, items } }: Pick<FeedReport, 'conflicts'>) {
  if (total === 0) return <p class="notice">No identifier of the feed contradicts those of other shops.</p>;
  return (
    <>
      <p>
        Rows of the feed state a GTIN and an ASIN that belong to two different products here, so these rows are
        rejected. Check both against the packaging. If other shops agree with you, the identifier moves by itself.
      </p>
      <ScrollTable
        label="Conflicting identifiers"
        columns={['GTIN', 'Product with this GTIN', 'ASIN', 'Product with this ASIN', 'Stated (UTC)']}
      >
        {items.map(({ gtin, gtinProduct, asin, asinProduct, statedAt }) => (
          <tr key={asin}>
            <td>{gtin}</td>
            <td>
              <Product slug={gtinProduct} />
            </td>
            <td>{asin}</td>
            <td>
              <Product slug={asinProduct} />
            </td>
            <td>
              <Moment at={statedAt} />
            </td>
          </tr>
        ))}
      </ScrollTable>
      {items.length < total && (
        <p class="small muted">
          These are {items.length} of {count(total)} conflicts.
        </p>
      )}
    </>
  );
}

const Product = ({ slug }: { slug: string | null }) =>
  slug === null ? <span class="muted">no product</span> : <a href={`/products/${slug}`}>{slug}</a>;
