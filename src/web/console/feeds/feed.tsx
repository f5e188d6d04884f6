/** `/console/feeds/{id}`: a feed's state, its runs and rejected rows, and what an operator can do with it. */
import * as z from 'zod';
import { type FeedReport, SHOWN_RUNS } from '../../../feeds/feed-report.ts';
import { type FeedWithRuns, readFeed } from '../../../feeds/feeds.ts';
import { readReport } from '../../../feeds/read-report.ts';
import { External } from '../../external-text.tsx';
import { readFields } from '../../forms/fields.ts';
import { TokenField } from '../../forms/token-field.tsx';
import { Facts, numbers, ScrollTable } from '../../layout.tsx';
import { RejectedRows } from '../../report/rejected-rows.tsx';
import { outcomeOf } from '../../report/words.ts';
import { Notice } from '../layout.tsx';
import { Moment, momentText } from '../moment.tsx';
import type { ConsoleRoute } from '../visit.ts';
import { actionPath, FEED_ACTIONS } from './actions.ts';
import { StateBadge } from './feed-list.tsx';
import { editFeedPath, FEEDS_PATH } from './paths.ts';

/** What the actions and forms say that they have done. */
const DONE = new Map<string, string>([
  ['add', 'The feed was added. A server pulls it within seconds.'],
  ['edit', 'The settings were saved.'],
  ...FEED_ACTIONS.map(({ name, done }) => [name, done] as const),
]);

const Query = z.object({ done: z.enum([...DONE.keys()]).optional() });

export const feedRoute: ConsoleRoute = {
  path: `${FEEDS_PATH}/{id}`,
  async show({ values: { id = '' }, query, token, services: { database } }) {
    const { done } = readFields(query, Query);
    const feed = await readFeed(database, id, SHOWN_RUNS);
    const report = await readReport(database, feed.reportPath.slice('/feeds/'.length));
    const notice = done === undefined ? undefined : DONE.get(done);
    return {
      title: feed.merchant,
      section: FEEDS_PATH,
      styles: ['report-page.css'],
      content: (
        <>
          {notice !== undefined && <Notice>{notice}</Notice>}
          <p>
            <a href={FEEDS_PATH}>All feeds</a> · {feed.id} · <StateBadge state={feed.state} />
          </p>
          {feed.state === 'needs confirmation' && <Confirmation feed={feed} token={token} />}
          <FeedFacts feed={feed} />
          <Actions feed={feed} token={token} />
          <h2>Runs</h2>
          <Runs feed={feed} />
          <Rejected report={report} />
          <Remove feed={feed} token={token} />
        </>
      ),
    };
  },
};

interface FeedProps {
  feed: FeedWithRuns;
  token: string;
}

function Confirmation({ feed: { id, isConfirmed }, token }: FeedProps) {
  if (isConfirmed) return <Notice>You have confirmed this feed: its next run may withdraw the offers.</Notice>;
  return (
    <section class="notice bad" aria-labelledby="confirm">
      <h2 id="confirm">This feed needs your confirmation</h2>
      <p>
        Its last content would withdraw more than half of the shop's offers, so nothing was changed. If the shop really
        offers less, confirm it; otherwise leave it, and ask the shop to repair the feed.
      </p>
      <Action path={actionPath(id, 'confirm')} token={token} label="Confirm and run now" />
    </section>
  );
}

function Action({ path, token, label, look = '' }: { path: string; token: string; label: string; look?: string }) {
  return (
    <form method="post" action={path}>
      <TokenField token={token} />
      <button class={`button ${look}`} type="submit">
        {label}
      </button>
    </form>
  );
}

function FeedFacts({ feed }: { feed: FeedWithRuns }) {
  const { maxBytes, maxRows, maxRejects } = feed.limits;
  const limits = [
    maxBytes !== undefined && `${maxBytes.toLocaleString('en')} bytes`,
    maxRows !== undefined && `${maxRows.toLocaleString('en')} rows`,
    maxRejects !== undefined && `${maxRejects.toLocaleString('en')} rejected rows`,
  ].filter((each) => each !== false);
  return (
    <Facts
      look="feed-facts"
      facts={[
        ['Address', feed.url],
        ['Pulled', `every ${feed.every}, as a ${feed.mode} feed`],
        ['Next run (UTC)', feed.nextRunAt ? momentText(feed.nextRunAt) : 'paused'],
        ['Last success (UTC)', feed.lastSuccessAt ? momentText(feed.lastSuccessAt) : 'none yet'],
        ['Failed runs in a row', feed.failures === 0 ? null : String(feed.failures)],
        ['Headers', feed.headers.length === 0 ? null : `${feed.headers.join(', ')} (values are never shown)`],
        ['Private addresses', feed.allowPrivate ? 'allowed' : null],
        ['Own limits', limits.length === 0 ? null : limits.join(', ')],
        ['Encoding', feed.encoding ?? null],
      ]}
    />
  );
}

function Actions({ feed: { id, state, pausedAt, reportPath }, token }: FeedProps) {
  return (
    <div class="actions">
      {!pausedAt && state !== 'running' && <Action path={actionPath(id, 'run')} token={token} label="Run now" />}
      {pausedAt ? (
        <Action path={actionPath(id, 'resume')} token={token} label="Resume" />
      ) : (
        <Action path={actionPath(id, 'pause')} token={token} label="Pause" look="quiet" />
      )}
      <a class="button quiet" href={editFeedPath(id)}>
        Settings
      </a>
      <a class="button quiet" href={reportPath}>
        Report for the shop
      </a>
      <Action path={actionPath(id, 'new-report')} token={token} label="New address for the report" look="quiet" />
    </div>
  );
}

function Runs({ feed: { runs } }: { feed: FeedWithRuns }) {
  if (runs.length === 0) return <p class="notice">The feed has not been pulled yet.</p>;
  const columns = ['Started (UTC)', 'Outcome', ...['Rows', 'New', 'Changed', 'Withdrawn', 'Rejected'].map(numbers)];
  return (
    <ScrollTable label="Runs" look="records" columns={[...columns, 'Message']}>
      {runs.map(({ id, startedAt, outcome, message, imported }) => {
        const { words, look } = outcomeOf(outcome ?? null);
        const figures = imported && {
          Rows: imported.read,
          New: imported.new,
          Changed: imported.changed,
          Withdrawn: imported.withdrawn,
          Rejected: imported.rejected,
        };
        return (
          <tr key={id}>
            <th scope="row">
              <Moment at={startedAt} />
            </th>
            <td data-label="Outcome">
              <span class={`badge ${look}`}>{words}</span>
            </td>
            {['Rows', 'New', 'Changed', 'Withdrawn', 'Rejected'].map((name) => (
              <td key={name} class="number" data-label={name}>
                {figures?.[name as keyof typeof figures].toLocaleString('en')}
              </td>
            ))}
            <td class="message" data-label="Message">
              {message !== undefined && <External>{message}</External>}
            </td>
          </tr>
        );
      })}
    </ScrollTable>
  );
}

function Rejected({ report }: { report: FeedReport | undefined }) {
  if (!report?.lastRows) return null;
  const { reasons, read } = report.lastRows;
  return (
    <>
      <h2>Rejected rows of the last run that read the feed</h2>
      <RejectedRows reasons={reasons} read={read} />
    </>
  );
}

/** Behind a disclosure, because it cannot be undone. */
function Remove({ feed: { id }, token }: FeedProps) {
  return (
    <details class="danger">
      <summary>Remove this feed</summary>
      <p>Its runs and its report are removed. The shop and its offers stay. This cannot be undone.</p>
      <Action path={actionPath(id, 'remove')} token={token} label="Remove the feed" />
    </details>
  );
}
