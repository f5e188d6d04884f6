/** The fields for the settings of a feed, in the forms that add it and that change it. They are checked as on the command line. */
import { readHeaders } from '../../../feeds/feed-headers.ts';
import { FeedInvalid } from '../../../feeds/feed-invalid.ts';
import type { FeedRecord } from '../../../feeds/feed-record.ts';
import { checkEncoding } from '../../../feeds/feed-settings.ts';
import { readFeedUrl } from '../../../feeds/feed-url.ts';
import { readInterval } from '../../../feeds/interval.ts';
import { SecretKeyUnusable } from '../../../feeds/seal-headers.ts';
import { DEFAULT_LIMITS, MOST_ROWS } from '../../../import/import-request.ts';
import { byteSize, parseByteSize } from '../../../values/byte-size.ts';
import { CheckField, InputField, LinesField, SelectField, type Shown } from '../../forms/field.tsx';
import type { Fields } from '../../forms/fields.ts';

/** What is wrong in a form, by the name of the field. */
export type Errors = Map<string, string>;

/** The settings that a form sends; what is empty is `undefined`, or `null` for settings that a feed can be without. */
export interface Settings {
  url: string | undefined;
  every: string;
  isDelta: boolean;
  headers: readonly string[] | undefined;
  allowPrivate: boolean;
  encoding: string | null;
  limits: { maxBytes: number | null; maxRows: number | null; maxRejects: number | null };
}

/** Reads the settings of a form, and notes what is wrong with them. */
export function readSettings(form: Fields, errors: Errors): Settings {
  const of = (name: string) => form.get(name)?.trim() ?? '';
  const url = of('url') || undefined;
  const headers = of('headers')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const encoding = of('encoding') || null;
  noteInvalid(errors, () => url === undefined || readFeedUrl(url));
  noteInvalid(errors, () => readInterval(of('every')));
  noteInvalid(errors, () => readHeaders(headers));
  noteInvalid(errors, () => checkEncoding(encoding ?? undefined));
  return {
    url,
    every: of('every'),
    isDelta: of('mode') === 'delta',
    headers: headers.length > 0 ? headers : undefined,
    allowPrivate: of('allowPrivate') === 'yes',
    encoding,
    limits: {
      maxBytes: readSize(of('maxBytes'), errors),
      maxRows: readRows('maxRows', of('maxRows'), 1, errors),
      maxRejects: readRows('maxRejects', of('maxRejects'), 0, errors),
    },
  };
}

/** Does the work, or notes beside which field it was refused. @returns `undefined` if it was. @throws all other errors. */
export function noteInvalid<Result>(errors: Errors, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    note(errors, error);
    return undefined;
  }
}

/** Notes beside which field of the form something was refused. @throws the error, if it concerns no field. */
export function note(errors: Errors, error: unknown): void {
  const field =
    error instanceof FeedInvalid ? error.field : error instanceof SecretKeyUnusable ? ('headers' as const) : undefined;
  if (field === undefined) throw error;
  // The form needs no options of the command line.
  errors.set(field, (error as Error).message.replace(/ \(--[^)]*\)/g, ''));
}

/** What a form shows again: all but the headers, which are credentials and appear on no page. */
export function shownAgain(form: Fields, errors: Errors): Fields {
  const { headers = '', ...values } = Object.fromEntries(form);
  if (headers.trim() !== '' && !errors.has('headers')) {
    errors.set('headers', 'Enter the headers again: this page does not repeat them.');
  }
  return new Map(Object.entries(values));
}

/** The settings of a feed as its form shows them. The address is left empty, because parts of it may be secret. */
export const settingsOf = ({ every, mode, allowPrivate, encoding, limits }: FeedRecord): Fields =>
  new Map([
    ['every', every],
    ['mode', mode],
    ['allowPrivate', allowPrivate ? 'yes' : ''],
    ['encoding', encoding ?? ''],
    ['maxBytes', limits.maxBytes === undefined ? '' : byteSize(limits.maxBytes).replace(/ bytes$/, '')],
    ['maxRows', String(limits.maxRows ?? '')],
    ['maxRejects', String(limits.maxRejects ?? '')],
  ]);

function readSize(text: string, errors: Errors): number | null {
  if (text === '') return null;
  const bytes = parseByteSize(text);
  if (bytes !== undefined && bytes >= 1) return bytes;
  errors.set('maxBytes', `The size must be written like 2GiB, 500MB or 1000000 (bytes); got ${text.slice(0, 60)}.`);
  return null;
}

function readRows(name: string, text: string, least: number, errors: Errors): number | null {
  if (text === '') return null;
  const rows = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (rows >= least && rows <= MOST_ROWS) return rows;
  errors.set(name, `The number must be a whole number from ${least} to ${MOST_ROWS}; got ${text.slice(0, 60)}.`);
  return null;
}

/** The fields that {@link readSettings} reads. @param feed the feed that is changed; none if one is added. */
export function SettingsFields({ shown, feed }: { shown: Shown; feed?: FeedRecord }) {
  return (
    <>
      <InputField
        shown={shown}
        name="url"
        label={feed ? 'New address' : 'Address'}
        required={!feed}
        hint={feed ? `Leave it empty to keep ${feed.url}` : 'Where the feed is downloaded: https://… or http://…'}
      />
      <InputField
        shown={shown}
        name="every"
        label="Pull it every"
        required
        hint="A time from 1m to 30d, such as 15m, 1h or 7d."
      />
      <SelectField
        shown={shown}
        name="mode"
        label="The feed lists"
        options={MODES}
        hint="Of a feed with all offers, those that it no longer lists are withdrawn."
      />
      <LinesField
        shown={shown}
        name="headers"
        label={feed && feed.headers.length > 0 ? 'New headers' : 'Headers'}
        hint={
          <>
            {feed && feed.headers.length > 0 && `Leave it empty to keep ${feed.headers.join(', ')}. `}
            One on each line, such as <code>Authorization: Bearer abc</code>. They are stored encrypted, need{' '}
            <code>SECRET_KEY</code>, and are never shown again.
          </>
        }
      />
      {feed && feed.headers.length > 0 && (
        <CheckField shown={shown} name="noHeaders" label="Send no headers from now on" />
      )}
      <CheckField
        shown={shown}
        name="allowPrivate"
        label="Allow private addresses"
        hint="Only for a feed in your own network: it is then also fetched from addresses that are not on the public internet."
      />
      <InputField
        shown={shown}
        name="encoding"
        label="Encoding"
        hint="Such as windows-1252; leave it empty if the feed declares it, or is UTF-8."
      />
      <InputField
        shown={shown}
        name="maxBytes"
        label="Largest size, unpacked"
        hint={`Such as 500MB. Leave it empty for ${byteSize(DEFAULT_LIMITS.maxBytes)}; a larger feed is refused.`}
      />
      <InputField
        shown={shown}
        name="maxRows"
        label="Most rows"
        inputMode="numeric"
        hint={`Leave it empty for ${rows(DEFAULT_LIMITS.maxRows)}; a feed with more is refused.`}
      />
      <InputField
        shown={shown}
        name="maxRejects"
        label="Most rejected rows to keep"
        inputMode="numeric"
        hint={`Leave it empty for ${rows(DEFAULT_LIMITS.maxRejects)}; more are counted only.`}
      />
    </>
  );
}

const rows = (count: number) => count.toLocaleString('en');

const MODES = [
  { value: 'full', words: 'all offers of the shop' },
  { value: 'delta', words: 'only new and changed offers' },
];
