/** The page of a report: the state of the feed, its runs, and what the shop can improve. */
import type { FeedReport, LastRows } from '../../feeds/feed-report.ts';
import { printable } from '../../values/printable.ts';
import { Facts, type Page } from '../layout.tsx';
import { Clicks } from './clicks.tsx';
import { Conflicts } from './conflicts.tsx';
import { Coverage } from './coverage.tsx';
import { Moment, momentWords } from './moment.tsx';
import { RejectedRows } from './rejected-rows.tsx';
import { Runs } from './runs.tsx';
import { ADVICE, count, interval, outcomeOf, STATUS, share } from './words.ts';

export const REPORTS_PATH = '/feeds';

const NO_INDEX = <meta name="robots" content="noindex, nofollow" />;

export function reportPage(report: FeedReport): Page {
  // The title of a window cannot isolate text of the other direction.
  const name = printable(report.shop.name);
  return {
    title: `Feed report of ${name}`,
    description: 'What this service read from the feed of a shop, and what the shop can improve.',
    path: REPORTS_PATH,
    head: NO_INDEX,
    content: <Content name={name} report={report} />,
    styles: ['report-page.css'],
  };
}

/** The page for an address without a report. */
export const NO_SUCH_REPORT: Page = {
  title: 'Report not found',
  description: 'No report has this address.',
  path: REPORTS_PATH,
  head: NO_INDEX,
  content: (
    <>
      <h1>Report not found</h1>
      <p class="lede">
        No report has this address. Check that it is complete, or ask the operator of this service for a new one.
      </p>
    </>
  ),
  width: 'reading',
};

function Content({ name, report }: { name: string; report: FeedReport }) {
  const { feed, shop, runs, lastRows, conflicts, clicks } = report;
  const advice = ADVICE[feed.status];
  const message = feed.status === 'ok' ? null : runs.find(({ outcome }) => outcome !== null)?.message;
  return (
    <article class="report">
      <header>
        <h1>
          Feed report of <bdi>{name}</bdi>
        </h1>
        <p class="status">
          <span class={`badge ${STATUS[feed.status].look}`}>{STATUS[feed.status].words}</span>
          {feed.isRunning && <span class="badge">Running now</span>}
        </p>
        {advice !== undefined && (
          <div class={feed.status === 'failing' ? 'notice bad' : 'notice'}>
            <p>{advice}</p>
            {message && (
              <p class="message">
                The last run says: <bdi>{message}</bdi>
              </p>
            )}
          </div>
        )}
        <Facts
          look="report-figures"
          facts={[
            ['Listed offers', count(shop.listedOffers)],
            ['Last seen (UTC)', shop.lastSeenAt && momentWords(shop.lastSeenAt)],
            ['Next run (UTC)', feed.nextRunAt && momentWords(feed.nextRunAt)],
            ['Pulled', `${interval(feed.everySeconds)} from ${feed.host}`],
            ['Lists', feed.mode === 'full' ? 'all offers' : 'only changes'],
          ]}
        />
      </header>
      <section>
        <h2>Last runs</h2>
        <Runs runs={runs} />
      </section>
      {lastRows && <LastRun report={report} rows={lastRows} />}
      <section>
        <h2>Conflicting identifiers</h2>
        <Conflicts conflicts={conflicts} />
      </section>
      <section>
        <h2>Clicks</h2>
        <Clicks clicks={clicks} />
      </section>
    </article>
  );
}

/** What the last run that read rows found. */
function LastRun({ report: { offers }, rows }: { report: FeedReport; rows: LastRows }) {
  const { read, accepted, rejected, reasons, coverage, changes, startedAt, outcome } = rows;
  return (
    <>
      <section>
        <h2>Rows</h2>
        <p>
          Of the last feed that was read, on <Moment at={startedAt} /> (UTC): {outcomeOf(outcome).words.toLowerCase()}.
        </p>
        <Facts
          look="report-figures"
          facts={[
            ['Rows read', count(read)],
            ['Accepted', `${count(accepted)} (${share(accepted, read)})`],
            ['Rejected', `${count(rejected)} (${share(rejected, read)})`],
            ['New offers', changes && count(changes.new)],
            ['Changed', changes && count(changes.changed)],
            ['Unchanged', changes && count(changes.same)],
            ['Withdrawn', changes && count(changes.withdrawn)],
          ]}
        />
      </section>
      <section>
        <h2>Rejected rows</h2>
        <RejectedRows reasons={reasons} read={read} />
      </section>
      <section>
        <h2>Coverage</h2>
        <Coverage rows={{ coverage, accepted }} />
      </section>
      {offers && (
        <section>
          <h2>Prices</h2>
          <Facts
            look="report-figures"
            facts={[
              ['Cheapest offers', `${count(offers.cheapest)} of ${count(offers.listed)}`],
              ['Share', share(offers.cheapest, offers.listed)],
              ['Listed by no other shop', count(offers.alone)],
            ]}
          />
          <p class="small muted">
            An offer is among the cheapest if no shop asks a lower total for the product. Totals whose shipping is not
            stated come after all others. Counted after the last import, on <Moment at={offers.countedAt} /> (UTC).
          </p>
        </section>
      )}
    </>
  );
}
