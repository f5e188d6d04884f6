/** `/console/feeds`: all scheduled feeds with their state, and the shops that were seen longest ago. */
import * as z from 'zod';
import { readShops } from '../../../console/shops.ts';
import type { FeedRecord, FeedState } from '../../../feeds/feed-record.ts';
import { listFeeds } from '../../../feeds/feeds.ts';
import { decodeCursor, encodeCursor } from '../../../values/cursor.ts';
import { External } from '../../external-text.tsx';
import { readFields } from '../../forms/fields.ts';
import { ScrollTable } from '../../layout.tsx';
import { outcomeOf } from '../../report/words.ts';
import { Notice } from '../layout.tsx';
import { Moment } from '../moment.tsx';
import { invalidCursor, NextPage } from '../next-page.tsx';
import type { ConsoleRoute } from '../visit.ts';
import { FEEDS_PATH, feedPath, NEW_FEED_PATH, SHOPS_PATH } from './paths.ts';
import { ShopTable } from './shop-list.tsx';

const PAGE = 50;
const SHOPS_SHOWN = 10;
const LIST = 'console feeds';

const Query = z.object({ after: z.string().optional(), done: z.literal('remove').optional() });

export const feedListRoute: ConsoleRoute = {
  path: FEEDS_PATH,
  async show({ query, services: { database } }) {
    const { after, done } = readFields(query, Query);
    const [feeds, { shops }] = await Promise.all([
      listFeeds(database, { after: after === undefined ? undefined : placeOf(after), first: PAGE + 1 }),
      readShops(database, { first: SHOPS_SHOWN }),
    ]);
    const last = feeds[PAGE - 1];
    const cursor = feeds.length > PAGE && last ? encodeCursor(LIST, [last.id]) : undefined;
    return {
      title: 'Feeds and shops',
      section: FEEDS_PATH,
      content: (
        <>
          {done && <Notice>The feed was removed. The shop and its offers stay.</Notice>}
          <h2>Scheduled feeds</h2>
          {feeds.length === 0 ? <NoFeeds /> : <FeedTable feeds={feeds.slice(0, PAGE)} />}
          <NextPage path={FEEDS_PATH} cursor={cursor} />
          <p>
            <a class="button quiet" href={NEW_FEED_PATH}>
              New feed
            </a>
          </p>
          <h2>Shops that were seen longest ago</h2>
          <ShopTable shops={shops} />
          <p>
            <a href={SHOPS_PATH}>All shops</a>
          </p>
        </>
      ),
    };
  },
};

function placeOf(cursor: string): string {
  const [id] = decodeCursor(LIST, cursor) ?? [];
  if (typeof id !== 'string') throw invalidCursor();
  return id;
}

const NoFeeds = () => (
  <p class="notice">
    No feed is scheduled. Add one here, or with <code>pda feeds add URL --merchant "A Shop" --every 1h</code>.
  </p>
);

function FeedTable({ feeds }: { feeds: readonly FeedRecord[] }) {
  return (
    <ScrollTable
      label="Scheduled feeds"
      look="records"
      columns={['Shop', 'Address', 'Every', 'State', 'Last run (UTC)', 'Next run (UTC)']}
    >
      {feeds.map(({ id, merchant, url, every, state, nextRunAt, lastRun }) => (
        <tr key={id}>
          <th scope="row">
            <a href={feedPath(id)}>
              <External>{merchant}</External>
            </a>
          </th>
          <td data-label="Address" class="address">
            <span>{url}</span>
          </td>
          <td data-label="Every">{every}</td>
          <td data-label="State">
            <StateBadge state={state} />
          </td>
          <td data-label="Last run">
            {lastRun && (
              <span>
                <Moment at={lastRun.startedAt} />: {outcomeOf(lastRun.outcome ?? null).words.toLowerCase()}
              </span>
            )}
          </td>
          <td data-label="Next run">{nextRunAt && <Moment at={nextRunAt} />}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}

const LOOKS: Readonly<Record<FeedState, string>> = {
  running: 'good',
  waiting: '',
  paused: 'warn',
  'needs confirmation': 'warn',
  failing: 'bad',
};

export const StateBadge = ({ state }: { state: FeedState }) => (
  <span class={`badge ${LOOKS[state]}`}>{state === 'waiting' ? 'scheduled' : state}</span>
);
