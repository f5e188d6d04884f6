/** The usage of a key in a month, by day. */
import type { KeyUsage } from '../../../access/key-admin.ts';
import { dayOf, monthOfDay } from '../../../values/day.ts';
import { DayChart } from '../../day-chart.tsx';
import type { Fields } from '../../forms/fields.ts';
import { keyPath } from './paths.ts';

// Before the first service, and further ahead than anybody needs.
const FIRST_MONTH = '2000-01';

/** The month of the query, `YYYY-MM`; this month without one. `undefined` if it is not a month from 2000 to this one. */
export function monthOfQuery(query: Fields): string | undefined {
  const now = thisMonth();
  const month = query.get('month') ?? now;
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && month >= FIRST_MONTH && month <= now ? month : undefined;
}

export function Usage({ id, usage }: { id: string; usage: KeyUsage | undefined }) {
  if (!usage) return null;
  const { month, used, quota, days } = usage;
  const path = (other: string) => `${keyPath(id)}?month=${other}#usage`;
  const [before, after] = [monthBeside(month, -1), monthBeside(month, 1)];
  return (
    <section id="usage">
      <h2>Usage</h2>
      <p>
        {used.toLocaleString('en')} {quota === 0 ? 'requests' : `of ${quota.toLocaleString('en')} requests`} in {month}.
      </p>
      <DayChart
        title="Requests a day"
        days={days.map(({ day }) => day)}
        series={[{ name: 'Requests', look: 'first', figures: days.map((day) => day.used) }]}
        ifEmpty="No requests in this month"
      />
      <p class="actions">
        {before >= FIRST_MONTH && (
          <a class="button quiet small" href={path(before)}>
            {before}
          </a>
        )}
        {after <= thisMonth() && (
          <a class="button quiet small" href={path(after)}>
            {after}
          </a>
        )}
      </p>
    </section>
  );
}

const thisMonth = () => monthOfDay(dayOf(Date.now()));

function monthBeside(month: string, step: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOfDay(dayOf(Date.UTC(year, number - 1 + step, 1)));
}
