/** `/console/feeds/new`: schedules a feed, as `pda feeds add` does. */
import { readMerchant } from '../../../feeds/feed-settings.ts';
import { addFeed } from '../../../feeds/feeds.ts';
import { InputField, type Shown } from '../../forms/field.tsx';
import type { Fields } from '../../forms/fields.ts';
import { TokenField } from '../../forms/token-field.tsx';
import { Notice } from '../layout.tsx';
import type { ConsolePage, ConsoleRoute } from '../visit.ts';
import { FEEDS_PATH, feedPath, NEW_FEED_PATH } from './paths.ts';
import { type Errors, note, noteInvalid, readSettings, SettingsFields, shownAgain } from './settings-form.tsx';

export const newFeedRoute: ConsoleRoute = {
  path: NEW_FEED_PATH,
  show: async ({ token }) => formPage(token, new Map([['every', '1h']])),
  async act({ form, token, session: { actor }, services: { database, secretKey } }) {
    const errors: Errors = new Map();
    const merchant = noteInvalid(errors, () => readMerchant(form.get('merchant') ?? '')) ?? '';
    const { url, headers = [], encoding, limits, ...settings } = readSettings(form, errors);
    if (url === undefined) errors.set('url', 'Enter the address from which the feed is downloaded.');
    if (errors.size === 0 && url !== undefined) {
      const feed = { ...settings, url, merchant, headers, encoding: encoding ?? undefined, limits: given(limits) };
      try {
        const { id } = await addFeed(database, feed, { secretKey, actor });
        return `${feedPath(id)}?done=add`;
      } catch (error) {
        note(errors, error);
      }
    }
    return { ...formPage(token, shownAgain(form, errors), errors), status: 400 };
  },
};

/** The limits that were entered. */
const given = <Name extends string>(limits: Record<Name, number | null>) =>
  Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null)) as Partial<Record<Name, number>>;

function formPage(token: string, values: Fields, errors: Errors = new Map()): ConsolePage {
  const shown: Shown = { form: 'new', values, errors };
  return {
    title: 'New feed',
    section: FEEDS_PATH,
    styles: ['console-pages.css'],
    content: (
      <>
        {errors.size > 0 && <Notice look="bad">No feed was added: correct the marked fields.</Notice>}
        <form class="card stacked" method="post" action={NEW_FEED_PATH}>
          <TokenField token={token} />
          <InputField
            shown={shown}
            name="merchant"
            label="Shop"
            required
            hint="The name of the shop, as people see it. The first import adds a shop that is not known yet."
          />
          <SettingsFields shown={shown} />
          <div class="actions">
            <button class="button" type="submit">
              Add feed
            </button>
            <a class="button quiet" href={FEEDS_PATH}>
              Cancel
            </a>
          </div>
        </form>
      </>
    ),
  };
}
