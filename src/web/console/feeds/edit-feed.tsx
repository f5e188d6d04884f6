/** `/console/feeds/{id}/edit`: changes the settings of a feed, as `pda feeds edit` does. */
import { editFeed } from '../../../feeds/edit-feed.ts';
import type { FeedRecord } from '../../../feeds/feed-record.ts';
import { readFeed } from '../../../feeds/feeds.ts';
import type { Shown } from '../../forms/field.tsx';
import type { Fields } from '../../forms/fields.ts';
import { TokenField } from '../../forms/token-field.tsx';
import { Notice } from '../layout.tsx';
import type { ConsolePage, ConsoleRoute } from '../visit.ts';
import { editFeedPath, FEEDS_PATH, feedPath } from './paths.ts';
import { type Errors, note, readSettings, SettingsFields, settingsOf, shownAgain } from './settings-form.tsx';

export const editFeedRoute: ConsoleRoute = {
  path: `${FEEDS_PATH}/{id}/edit`,
  async show({ values: { id = '' }, token, services: { database } }) {
    const feed = await readFeed(database, id, 0);
    return formPage(token, feed, settingsOf(feed));
  },
  async act({ values: { id = '' }, form, token, session: { actor }, services: { database, secretKey } }) {
    const errors: Errors = new Map();
    const { headers, ...settings } = readSettings(form, errors);
    const removes = form.get('noHeaders') === 'yes';
    if (removes && headers) errors.set('noHeaders', 'Either enter new headers, or send none.');
    if (errors.size === 0) {
      const change = { ...settings, headers: removes ? [] : headers };
      try {
        await editFeed(database, id, change, { secretKey, actor });
        return `${feedPath(id)}?done=edit`;
      } catch (error) {
        note(errors, error);
      }
    }
    const feed = await readFeed(database, id, 0);
    return { ...formPage(token, feed, shownAgain(form, errors), errors), status: 400 };
  },
};

function formPage(token: string, feed: FeedRecord, values: Fields, errors: Errors = new Map()): ConsolePage {
  const shown: Shown = { form: 'edit', values, errors };
  return {
    title: `Settings of ${feed.merchant}`,
    section: FEEDS_PATH,
    styles: ['console-pages.css'],
    content: (
      <>
        {errors.size > 0 && <Notice look="bad">Nothing was changed: correct the marked fields.</Notice>}
        <p class="lede">
          The feed keeps its shop, its runs and the address of its report. A change other than of the interval takes
          effect at once: the feed is pulled with the new settings.
        </p>
        <form class="card stacked" method="post" action={editFeedPath(feed.id)}>
          <TokenField token={token} />
          <SettingsFields shown={shown} feed={feed} />
          <div class="actions">
            <button class="button" type="submit">
              Save
            </button>
            <a class="button quiet" href={feedPath(feed.id)}>
              Cancel
            </a>
          </div>
        </form>
      </>
    ),
  };
}
