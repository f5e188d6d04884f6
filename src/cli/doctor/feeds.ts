/** Checks the scheduled feeds: whether they are pulled, succeed, and wait for an operator. Changes nothing. */
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { listFeeds } from '../../feeds/feeds.ts';
import { OVERDUE_MINUTES, overdueBefore } from '../../feeds/overdue.ts';
import { counted } from '../../values/counted.ts';
import { type Finding, ok, warning } from './finding.ts';

const NAMED = 3;

/** Examines the feeds: one finding if all is well, otherwise one for each kind of trouble. None if no feed is scheduled. */
export async function examineFeeds(database: Database, { secretKey }: Pick<Config, 'secretKey'>): Promise<Finding[]> {
  const feeds = await listFeeds(database);
  if (feeds.length === 0) return [];
  const all = counted(feeds.length, 'feed');
  const findings: Finding[] = [];
  const tell = (name: string, found: typeof feeds, what: string, remedy: string) => {
    if (found.length === 0) return;
    const named = found.slice(0, NAMED).map(({ id, merchant }) => `${id} of ${merchant}`);
    const more = found.length > NAMED ? ', …' : '';
    findings.push(warning(name, `${found.length} of ${all} ${what}: ${named.join(', ')}${more}`, remedy));
  };
  tell(
    'feed headers',
    feeds.filter(({ headers }) => headers.length > 0 && secretKey === undefined),
    'cannot be pulled, because they have headers and SECRET_KEY is not set',
    'Set SECRET_KEY to the text under which the headers were stored, for the server too.',
  );
  tell(
    'feeds due',
    feeds.filter(({ state, nextRunAt }) => state !== 'running' && nextRunAt && nextRunAt < overdueBefore()),
    `have been due for more than ${OVERDUE_MINUTES} minutes`,
    'Start a server without FEEDS=off, or look in its log for "Failed to look for due feeds".',
  );
  tell(
    'feeds guarded',
    feeds.filter(({ state, isConfirmed }) => state === 'needs confirmation' && !isConfirmed),
    "would withdraw more than half of their shop's offers",
    'If that is right, `pda feeds run ID --confirm`; otherwise ask the shop to repair its feed.',
  );
  tell(
    'feeds failing',
    feeds.filter(({ state }) => state === 'failing'),
    'failed at the last pull',
    '`pda feeds list` shows why; `pda feeds edit` changes a wrong address.',
  );
  if (findings.length > 0) return findings;
  const paused = feeds.filter(({ state }) => state === 'paused').length;
  return [ok('feeds', `${all}, none failing or overdue${paused > 0 ? `, ${paused} paused` : ''}`)];
}
