/** Rows as a shop's feed writes them down: RSS 2.0, Atom, TSV, CSV or JSON Lines with Google Merchant's field names. */
import type { Format, Shop } from './shops.ts';

/** One item: Google's field names and their values, in order; fields without a value are left out. */
export type Item = Readonly<Record<string, string | undefined>>;

export const EXTENSIONS: Record<Format, string> = {
  rss: 'xml',
  atom: 'xml',
  tsv: 'tsv',
  csv: 'csv',
  'semicolon-csv': 'csv',
  jsonl: 'jsonl',
};

const FIELDS = [
  'id',
  'title',
  'description',
  'link',
  'image_link',
  'availability',
  'price',
  'sale_price',
  'shipping',
  'condition',
  'brand',
  'color',
  'item_group_id',
  'gtin',
  'mpn',
  'asin',
  'google_product_category',
];

/** The text of a feed. `shipping` of an item is written as `DE::Standard:4.90 EUR`, or as a block in XML. */
export function writeFeed(shop: Shop, items: readonly Item[]): string {
  switch (shop.format) {
    case 'rss':
      return `${XML}<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n<title>${escapeXml(shop.merchant)}</title>\n<link>${shop.url}</link>\n<description>Product feed</description>\n${items.map((item) => block('item', item)).join('')}</channel>\n</rss>\n`;
    case 'atom':
      return `${XML}<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">\n<title>${escapeXml(shop.merchant)}</title>\n<link rel="self" href="${shop.url}"/>\n${items.map((item) => block('entry', item)).join('')}</feed>\n`;
    case 'jsonl':
      return items.map((item) => `${JSON.stringify(item)}\n`).join('');
    case 'tsv':
      return table(items, '\t', (text) => text);
    case 'csv':
      return table(items, ',', quoted);
    case 'semicolon-csv':
      return table(items, ';', quoted);
  }
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';

function block(element: 'item' | 'entry', item: Item): string {
  const lines = Object.entries(item).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name !== 'shipping') return [`<g:${name}>${escapeXml(value)}</g:${name}>`];
    const [country = '', , service = '', price = ''] = value.split(':');
    return [
      `<g:shipping><g:country>${country}</g:country><g:service>${service}</g:service><g:price>${price}</g:price></g:shipping>`,
    ];
  });
  return `<${element}>\n${lines.join('\n')}\n</${element}>\n`;
}

function table(items: readonly Item[], delimiter: string, quote: (text: string) => string): string {
  const fields = FIELDS.filter((field) => field !== 'item_group_id' || items.some((item) => item[field] !== undefined));
  const rows = [fields, ...items.map((item) => fields.map((field) => quote(item[field] ?? '')))];
  return rows.map((row) => `${row.join(delimiter)}\n`).join('');
}

function quoted(text: string): string {
  return /[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
