/** The clicks on the offers of a shop by day. */
import type { FeedReport } from '../../feeds/feed-report.ts';
import { DayChart } from '../day-chart.tsx';
import { count } from './words.ts';

export function Clicks({ clicks }: Pick<FeedReport, 'clicks'>) {
  const total = clicks.reduce((sum, day) => sum + day.clicks, 0);
  return (
    <>
      <p>
        {total === 0
          ? 'Nobody has followed a link to the shop in the last 30 days.'
          : `${count(total)} clicks on links to the shop in the last 30 days.`}
      </p>
      {total > 0 && (
        <DayChart
          title="Clicks by day (UTC)"
          days={clicks.map(({ day }) => day)}
          series={[{ name: 'Clicks', look: 'first', figures: clicks.map((day) => day.clicks) }]}
        />
      )}
    </>
  );
}
