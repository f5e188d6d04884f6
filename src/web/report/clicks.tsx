/** The clicks on the offers of a shop, as a chart and as a table. */
import { BarChart } from '../../chart/bar-chart.tsx';
import type { FeedReport } from '../../feeds/feed-report.ts';
import { dayFormat } from '../../values/day.ts';
import { numbers, ScrollTable } from '../layout.tsx';
import { count } from './words.ts';

export function Clicks({ clicks }: Pick<FeedReport, 'clicks'>) {
  const total = clicks.reduce((sum, day) => sum + day.clicks, 0);
  if (total === 0) return <p class="notice">Nobody has followed a link to the shop in the last 30 days.</p>;
  return (
    <>
      <BarChart
        description={`Clicks on links to the shop in the last ${clicks.length} days: ${count(total)}. The table below has the days.`}
        parts={[{ name: 'Clicks', look: 'main' }]}
        bars={clicks.map(({ day, clicks: number }) => ({
          name: dayFormat(day),
          label: dayFormat(day).replace(/ \d{4}$/, ''),
          values: [number],
        }))}
      />
      <details>
        <summary>Clicks as a table</summary>
        <ScrollTable label="Clicks" columns={['Day (UTC)', numbers('Clicks')]}>
          {[...clicks].reverse().map(({ day, clicks: number }) => (
            <tr key={day}>
              <th scope="row">{dayFormat(day)}</th>
              <td class="number">{count(number)}</td>
            </tr>
          ))}
        </ScrollTable>
      </details>
    </>
  );
}
