/** How many accepted rows state what makes an offer easy to find and compare. */
import type { LastRows } from '../../feeds/feed-report.ts';
import { numbers, ScrollTable } from '../layout.tsx';
import { count, share } from './words.ts';

const VALUES = [
  ['gtin', 'GTIN', 'Offers of one product are compared by it.'],
  ['brand', 'Brand', 'Shoppers filter by it, and with the MPN it identifies products without a GTIN.'],
  ['picture', 'Picture', 'Products without one are chosen less often.'],
  ['category', 'Category', 'Shoppers browse by it: google_product_category, or product_type.'],
] as const;

export function Coverage({ rows: { coverage, accepted } }: { rows: Pick<LastRows, 'coverage' | 'accepted'> }) {
  return (
    <ScrollTable label="Coverage" look="coverage" columns={['Value', numbers('Rows with it'), numbers('Share')]}>
      {VALUES.map(([name, title, purpose]) => (
        <tr key={name}>
          <th scope="row">
            {title}
            <span class="purpose">{purpose}</span>
          </th>
          <td class="number">
            {count(coverage[name])} of {count(accepted)}
          </td>
          <td class="number share">
            {share(coverage[name], accepted)}
            <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect class="ground" width="100" height="6" />
              <rect class="part" width={accepted === 0 ? 0 : (coverage[name] / accepted) * 100} height="6" />
            </svg>
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}
