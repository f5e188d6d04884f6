/** Resolves the HTML entities that are left in a row once the reader of its format has decoded it. */
import { decodeHTMLStrict } from 'entities';
import { FEED_FIELDS, type FeedField, type FeedRow, type ShippingOption, withoutControls } from './readers/feed-row.ts';

/**
 * Replaces the entities in the values of a row, in place: `Caf&eacute;` becomes `Café`, and a link's `&amp;` becomes `&`. Shop software
 * keeps texts as HTML and writes them as they are into CDATA, CSV or JSON, or escapes them once more in XML, some of it twice. Only
 * references that end with a semicolon count, so `AT&T` and the parameter `&copy=1` of a link stay.
 */
export function resolveEntities({ fields, shipping }: FeedRow): void {
  resolveIn(fields, TEXTS);
  for (const option of shipping) resolveIn(option, SHIPPING_VALUES);
}

function resolveIn<Name extends string>(values: { [name in Name]?: string }, names: readonly Name[]): void {
  for (const name of names) {
    const value = values[name];
    if (!value?.includes('&')) continue;
    const text = resolved(value);
    if (text === '') delete values[name];
    else values[name] = text;
  }
}

function resolved(value: string): string {
  let text = value;
  for (let level = 0; level < MOST_LEVELS && text.includes('&'); level++) text = decodeHTMLStrict(text);
  // References to no character become U+FFFD (HTML, numeric character reference end state).
  return withoutControls(text).replaceAll('\uFFFD', '').trim();
}

/** How often a value may be encoded: `&amp;amp;` is seen, deeper levels are not. */
const MOST_LEVELS = 3;

// These tell rows and groups apart and are shown to nobody. Another spelling would be another offer, and end the history of the first.
const NOT_TEXT: ReadonlySet<FeedField> = new Set(['id', 'item_group_id']);
const TEXTS = FEED_FIELDS.filter((name) => !NOT_TEXT.has(name));

const SHIPPING_VALUES: readonly (keyof ShippingOption)[] = ['country', 'price', 'minOrderValue'];
