/** The URL of a feed: checked when the feed is added or changed, and stored so that a reader of the database does not see the values of its query. */
import type { Queryable } from '../database/database.ts';
import { FEED_URL, placeOf } from '../database/sealed-columns.ts';
import { PREFIX, SecretUnreadable, type Vault } from '../database/vault.ts';
import { encodeId } from '../values/id.ts';
import { shownUrl } from '../values/shown-url.ts';
import { FeedInvalid } from './feed-invalid.ts';

const LONGEST = 2_000;

/** Checks the URL of a feed, and returns it in normal form, without its fragment. @throws {FeedInvalid} */
export function readFeedUrl(text: string): URL {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new FeedInvalid(
      'The URL of the feed must start with http:// or https://. Give the address from which it is downloaded.',
      'url',
    );
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new FeedInvalid(
      'The URL of the feed has a user name or password, which would be stored and shown. Remove them and send a header instead (--header "Authorization: Basic …"), which is encrypted.',
      'url',
    );
  }
  url.hash = '';
  if (url.href.length > LONGEST) {
    throw new FeedInvalid(`The URL of the feed must have at most ${LONGEST} characters.`, 'url');
  }
  return url;
}

/** A feed with its URL as it is stored. */
interface Stored {
  id: bigint;
  url: string;
}

/** A stored URL for logs, lists and messages. Needs no key. */
export const shownStored = (stored: string): string =>
  stored.startsWith(PREFIX) ? stored.split(':').slice(3).join(':') : shownUrl(stored);

/** The URL of a feed; `undefined` if its key is missing. */
export function urlOf(vault: Vault, { id, url }: Stored): string | undefined {
  try {
    return vault.open(url, placeOf(FEED_URL, id));
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined;
    throw error;
  }
}

/** The URL of a feed. @throws {FeedInvalid} if its key is missing */
export function requireUrl(vault: Vault, feed: Stored): string {
  const url = urlOf(vault, feed);
  if (url !== undefined) return url;
  throw new FeedInvalid(
    `The URL of the feed cannot be read, because the key under which it was sealed is missing; restore that key, or give the URL again with \`pda feeds edit ${encodeId('feed', feed.id)} --url\`.`,
    'url',
  );
}

/** Refuses a URL that the shop has a feed with. Sealed ones cannot be compared by the database. @throws {FeedInvalid} */
export async function refuseKnown(database: Queryable, vault: Vault, merchant: string, url: string): Promise<void> {
  const feeds = await database.query<Stored>(OF_SHOP, [merchant]);
  const known = feeds.find((feed) => urlOf(vault, feed) === url);
  if (!known) return;
  const id = encodeId('feed', known.id);
  throw new FeedInvalid(
    `${merchant} has this feed already: it is ${id}. Change that with \`pda feeds edit ${id}\`, or remove it first.`,
    'url',
  );
}

// By feed_shop_name_idx.
const OF_SHOP = 'SELECT id, url FROM feed WHERE merchant = $1::text';
