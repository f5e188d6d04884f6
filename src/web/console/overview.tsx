/** `/console`: what needs attention, how many requests were answered and how, and how fresh the shops are. */
import * as z from 'zod';
import { type Concerns, MOST_CONCERNS, readConcerns } from '../../console/attention.ts';
import { readFreshness } from '../../console/freshness.ts';
import { FACES, readTraffic, type Traffic } from '../../console/traffic.ts';
import type { Outcome } from '../../operations/traffic-counts.ts';
import { DayChart, type DaySeries } from '../day-chart.tsx';
import { External } from '../external-text.tsx';
import { readFields } from '../forms/fields.ts';
import { numbers, ScrollTable } from '../layout.tsx';
import { CONSOLE_PATH } from './layout.tsx';
import type { ConsoleRoute } from './visit.ts';

const SPANS = ['7', '30', '90'] as const;
const Query = z.object({ days: z.enum(SPANS).default('30') });

export const overviewRoute: ConsoleRoute = {
  path: CONSOLE_PATH,
  async show({ query, session, services: { database, traffic } }) {
    const { days } = readFields(query, Query);
    await traffic.write();
    const [concerns, counts, ages] = await Promise.all([
      readConcerns(database),
      readTraffic(database, Number(days)),
      readFreshness(database),
    ]);
    return {
      title: 'Overview',
      section: CONSOLE_PATH,
      content: (
        <>
          <Attention kinds={concerns} />
          <h2>Requests</h2>
          <Spans days={days} />
          <Charts traffic={counts} />
          <h2>Shops</h2>
          <Freshness ages={ages} />
          <p class="muted small">You are signed in as {session.actor}.</p>
        </>
      ),
    };
  },
};

function Attention({ kinds }: { kinds: readonly Concerns[] }) {
  return (
    <section aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {kinds.length === 0 ? (
        <p>Nothing: all feeds, shops, webhooks and keys are as they should be.</p>
      ) : (
        <ul class="concerns">
          {kinds.flatMap(({ concerns, hasMore }) => [
            ...concerns.map(({ subject, text, path, isBroken }) => (
              <li key={`${text} ${subject}`}>
                <span class={isBroken ? 'badge bad' : 'badge warn'}>{isBroken ? 'Broken' : 'Check'}</span>{' '}
                <a href={path}>
                  <External>{subject}</External>
                </a>
                : {text}.
              </li>
            )),
            hasMore && (
              <li key={`more than ${concerns[0]?.text}`} class="muted">
                There are more like the last {MOST_CONCERNS}.
              </li>
            ),
          ])}
        </ul>
      )}
    </section>
  );
}

function Spans({ days }: { days: string }) {
  return (
    <nav class="spans" aria-label="Days shown">
      {SPANS.map((span) => (
        <a key={span} href={`${CONSOLE_PATH}?days=${span}`} aria-current={span === days ? 'true' : undefined}>
          {span} days
        </a>
      ))}
    </nav>
  );
}

const FACE_NAMES = { rest: 'REST', graphql: 'GraphQL', mcp: 'MCP', page: 'Pages' } as const;
const LOOKS = ['first', 'second', 'third', 'fourth'] as const;

const REFUSALS: readonly (readonly [Outcome, string])[] = [
  ['unauthorized', 'No valid key (401)'],
  ['quota', 'Quota used up (402)'],
  ['rate', 'Too many requests (429)'],
  ['unavailable', 'Unavailable (503)'],
];

const NO_REQUESTS = 'No requests in this time';

function Charts({ traffic }: { traffic: Traffic }) {
  const { days } = traffic;
  const requests = FACES.map((face, index): DaySeries => {
    return { name: FACE_NAMES[face], look: LOOKS[index] ?? 'first', figures: traffic.requests(face) };
  });
  const refusals = REFUSALS.map(([outcome, name], index): DaySeries => {
    return { name, look: LOOKS[index] ?? 'first', figures: traffic.outcomes(outcome) };
  });
  const durations: DaySeries[] = [
    { name: 'Half of the requests (p50)', look: 'first', figures: traffic.durations(0.5) },
    { name: '99 of 100 (p99)', look: 'second', figures: traffic.durations(0.99) },
  ];
  const errors: DaySeries[] = [{ name: 'Errors (5xx)', look: 'bad', figures: traffic.outcomes('error') }];
  return (
    <>
      <DayChart title="Requests by interface" days={days} series={requests} ifEmpty={NO_REQUESTS} />
      <Totals traffic={traffic} />
      <DayChart title="Refused requests" days={days} series={refusals} ifEmpty="No request was refused in this time" />
      <DayChart title="Errors of the server" days={days} series={errors} ifEmpty="No errors in this time" />
      <DayChart
        title="Duration of served API requests"
        days={days}
        series={durations}
        kind="lines"
        format={milliseconds}
        ifEmpty={NO_REQUESTS}
      />
    </>
  );
}

function Totals({ traffic }: { traffic: Traffic }) {
  const columns = [`All ${traffic.days.length} days`, ...['Requests', 'Errors', 'p50', 'p99'].map(numbers)];
  const shown = (duration: number | null) => (duration === null ? '–' : milliseconds(duration));
  return (
    <ScrollTable label={`All ${traffic.days.length} days by interface`} look="tight" columns={columns}>
      {FACES.map((face) => {
        const { requests, errors, p50, p99 } = traffic.totals(face);
        return (
          <tr key={face}>
            <th scope="row">{FACE_NAMES[face]}</th>
            <td class="number">{requests.toLocaleString('en')}</td>
            <td class="number">{errors.toLocaleString('en')}</td>
            <td class="number">{shown(p50)}</td>
            <td class="number">{shown(p99)}</td>
          </tr>
        );
      })}
    </ScrollTable>
  );
}

/** A duration to two digits. */
const milliseconds = (duration: number): string =>
  `${duration.toLocaleString('en', { maximumSignificantDigits: 2 })} ms`;

function Freshness({ ages }: { ages: readonly { name: string; shops: number }[] }) {
  const most = Math.max(1, ...ages.map(({ shops }) => shops));
  return (
    <ScrollTable
      label="Shops by their last feed"
      look="tight"
      columns={['Last feed imported', numbers('Shops with offers'), '']}
    >
      {ages.map(({ name, shops }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td class="number">{shops.toLocaleString('en')}</td>
          <td class="share">
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(shops / most) * 100} height="1" />
            </svg>
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}
