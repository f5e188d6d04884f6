/** What operators can do with a feed in the console: the same functions as those of `pda feeds`. */
import type { Database } from '../../../database/database.ts';
import {
  type By,
  confirmFeed,
  pauseFeed,
  removeFeed,
  renewReport,
  resumeFeed,
  runFeedSoon,
} from '../../../feeds/feeds.ts';
import type { ConsoleRoute } from '../visit.ts';
import { FEEDS_PATH, feedPath } from './paths.ts';

interface Action {
  /** The last segment of its path. */
  name: string;
  work(database: Database, id: string, by: By): Promise<unknown>;
  /** What was done. */
  done: string;
}

/** The actions after which the feed's page is shown. */
export const FEED_ACTIONS = [
  { name: 'run', work: runFeedSoon, done: 'A server pulls the feed within seconds.' },
  { name: 'pause', work: pauseFeed, done: 'The feed is paused. A run in progress ends as usual.' },
  { name: 'resume', work: resumeFeed, done: 'The feed is pulled again.' },
  {
    name: 'confirm',
    work: confirmFeed,
    done: "The next run, which is due now, may withdraw more than half of the shop's offers.",
  },
  { name: 'new-report', work: renewReport, done: 'The report has a new address. The old one no longer works.' },
] as const satisfies readonly Action[];

const REMOVE = { name: 'remove', work: removeFeed };

/** The path of a feed's form. */
export const actionPath = (id: string, name: (typeof FEED_ACTIONS)[number]['name'] | 'remove'): string =>
  `${feedPath(id)}/${name}`;

export const feedActionRoutes: readonly ConsoleRoute[] = [...FEED_ACTIONS, REMOVE].map(({ name, work }) => ({
  path: `${FEEDS_PATH}/{id}/${name}`,
  async act({ values: { id = '' }, session: { actor }, services: { database } }) {
    await work(database, id, { actor });
    return name === 'remove' ? `${FEEDS_PATH}?done=remove` : `${feedPath(id)}?done=${name}`;
  },
}));
