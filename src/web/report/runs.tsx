/** The last runs of a feed, as a chart and as a table. */
import { BarChart } from '../../chart/bar-chart.tsx';
import type { ReportedRun } from '../../feeds/feed-report.ts';
import { counted } from '../../values/counted.ts';
import { DAY_MS, dayOf } from '../../values/day.ts';
import { dayFormat } from '../../values/day-format.ts';
import { numbers, ScrollTable } from '../layout.tsx';
import { Moment, momentWords, timeOfDay } from './moment.tsx';
import { count, outcomeOf } from './words.ts';

const ACCEPTED = { name: 'Accepted rows', look: 'main' } as const;
const REJECTED = { name: 'Rejected rows', look: 'bad' } as const;

export function Runs({ runs }: { runs: readonly ReportedRun[] }) {
  if (runs.length === 0) return <p class="notice">The feed has not been pulled yet.</p>;
  const oldestFirst = [...runs].reverse();
  return (
    <>
      <BarChart
        description={describe(runs)}
        parts={[ACCEPTED, REJECTED]}
        bars={oldestFirst.map(({ startedAt, outcome, accepted, rejected }) => ({
          name: momentWords(startedAt),
          label: labelOf(startedAt, runs),
          values: [accepted ?? 0, rejected ?? 0],
          mark: markOf(outcome, accepted !== null),
        }))}
      />
      <details>
        <summary>Runs as a table</summary>
        <ScrollTable
          label="Runs"
          columns={['Started (UTC)', 'Outcome', numbers('Rows'), numbers('Accepted'), numbers('Rejected'), 'Message']}
        >
          {runs.map((run) => (
            <Run key={run.startedAt} run={run} />
          ))}
        </ScrollTable>
      </details>
    </>
  );
}

function Run({ run: { startedAt, outcome, read, accepted, rejected, message } }: { run: ReportedRun }) {
  const { words, look } = outcomeOf(outcome);
  const figure = (number: number | null) => (number === null ? '–' : count(number));
  return (
    <tr>
      <th scope="row">
        <Moment at={startedAt} />
      </th>
      <td>
        <span class={`badge ${look}`}>{words}</span>
      </td>
      <td class="number">{figure(read)}</td>
      <td class="number">{figure(accepted)}</td>
      <td class="number">{figure(rejected)}</td>
      <td class="message">{message}</td>
    </tr>
  );
}

/** The mark of a run that changed nothing. */
function markOf(outcome: string | null, hasRows: boolean) {
  const { words, look } = outcomeOf(outcome);
  if (hasRows && look !== 'bad') return undefined;
  return look === 'bad' ? ({ name: 'Failed', look } as const) : ({ name: words, look: 'quiet' } as const);
}

/** The time of day, or the day if the runs are of several days. */
function labelOf(startedAt: string, runs: readonly ReportedRun[]): string {
  const first = runs.at(-1)?.startedAt ?? startedAt;
  const last = runs[0]?.startedAt ?? startedAt;
  const isOneDay = Date.parse(last) - Date.parse(first) < DAY_MS;
  return isOneDay ? timeOfDay(startedAt) : dayFormat(dayOf(Date.parse(startedAt))).replace(/ \d{4}$/, '');
}

function describe(runs: readonly ReportedRun[]): string {
  const failed = runs.filter(({ outcome }) => outcomeOf(outcome).look === 'bad').length;
  const last = runs.find(({ read }) => read !== null);
  const figures = last
    ? ` The last one that read rows accepted ${count(last.accepted ?? 0)} of ${count(last.read ?? 0)}.`
    : '';
  return `The rows of the last ${counted(runs.length, 'run')}, ${failed} of which failed.${figures} The table below has all figures.`;
}
