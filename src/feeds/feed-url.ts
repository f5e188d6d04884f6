/** The URL of a feed: checked once when the feed is added, and shown without the values of its query, which may be credentials. */
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

/** The URL for logs, lists and messages: the values of its query are replaced by dots. @example shownUrl('https://a.example/f?key=1') // 'https://a.example/f?key=…' */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const parameters = search
    .slice(1)
    .split('&')
    .filter((each) => each !== '')
    // A parameter without a name is a value.
    .map((each) => (each.includes('=') ? `${each.slice(0, each.indexOf('='))}=…` : '…'));
  return `${origin}${pathname}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
}
