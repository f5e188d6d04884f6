/** Writes tables in every format and spelling that feeds have. */
import type { FeedField, FeedFields } from '../../src/import/readers/feed-row.ts';

/** Rows, and the order of their fields. */
export type Table = { fields: FeedField[]; rows: FeedFields[] };

export interface Format {
  /** The text of a feed. @param pick chooses among the spellings that the format has. */
  write(table: Table, pick: () => number): string;
  /** How the format changes a value. */
  held?(value: string): string;
}

const lineEnd = (pick: () => number) => ['\n', '\r\n', '\r'][pick() % 3] ?? '\n';

function delimited(delimiter: string): Format {
  return {
    write({ fields, rows }, pick) {
      const end = lineEnd(pick);
      const cell = (value: string) => {
        const mustQuote = /["\r\n]/.test(value) || value.includes(delimiter) || value === '';
        return mustQuote || pick() % 2 === 0 ? `"${value.replaceAll('"', '""')}"` : value;
      };
      const lines = [fields.map(cell), ...rows.map((row) => fields.map((field) => cell(row[field] ?? '')))];
      return lines.map((cells) => cells.join(delimiter)).join(end) + (pick() % 2 === 0 ? end : '');
    },
  };
}

const tabs: Format = {
  write({ fields, rows }, pick) {
    const end = lineEnd(pick);
    const cell = (value: string) =>
      value.startsWith('"') || pick() % 3 === 0 ? `"${value.replaceAll('"', '""')}"` : value;
    const lines = [fields.map(cell), ...rows.map((row) => fields.map((field) => cell(row[field] ?? '')))];
    return lines.map((cells) => cells.join('\t')).join(end) + end;
  },
  // A cell is on one line and has no tab.
  held: (value) => value.replace(/[\t\r\n]+/g, ' ').trim(),
};

const jsonLines: Format = {
  write({ fields, rows }, pick) {
    const line = (row: FeedFields) => {
      const json = JSON.stringify(Object.fromEntries(fields.map((field) => [field, row[field] ?? ''])));
      return pick() % 2 === 0
        ? json
        : json.replace(/[^\x20-\x7e]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
    };
    // This format cannot express a feed without rows.
    return rows.length === 0 ? 'id\ttitle\n' : rows.map(line).join(pick() % 2 === 0 ? '\n' : '\r\n');
  },
};

function xml(isAtom: boolean): Format {
  return {
    write({ fields, rows }, pick) {
      const escaped = (value: string) =>
        [...value]
          .map((each) => {
            if (/[&<>"']/.test(each)) {
              const names: Record<string, string> = {
                '&': '&amp;',
                '<': '&lt;',
                '>': '&gt;',
                '"': '&quot;',
                "'": '&apos;',
              };
              return pick() % 4 === 0 ? `&#${each.codePointAt(0)};` : names[each];
            }
            if (each === '\r') return '&#13;';
            return pick() % 5 === 0 && !/\s/.test(each) ? `&#x${each.codePointAt(0)?.toString(16)};` : each;
          })
          .join('');
      const cdata = (value: string) => `<![CDATA[${value.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
      const content = (value: string) =>
        // A carriage return in CDATA becomes a line feed (XML 1.0 §2.11).
        value.includes('\r') || pick() % 2 === 0 ? escaped(value) : cdata(value);
      const gap = () => ['', '\n', '  ', '<!-- <item> & -->'][pick() % 4];
      const item = (row: FeedFields) =>
        fields
          .map((field) => `${gap()}<g:${field}>${gap()}${content(row[field] ?? '')}${gap()}</g:${field}>`)
          .join('') + gap();
      return isAtom
        ? `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0"><title>Shop &amp; Co</title>${rows.map((row) => `<entry>${item(row)}</entry>`).join('\n')}</feed>`
        : `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${gap()}${rows.map((row) => `<item>${item(row)}</item>`).join('\n')}</channel></rss>`;
    },
  };
}

/** The formats of feeds. */
export const FEED_FORMATS = {
  tabs,
  commas: delimited(','),
  semicolons: delimited(';'),
  bars: delimited('|'),
  'JSON Lines': jsonLines,
  RSS: xml(false),
  Atom: xml(true),
} satisfies Readonly<Record<string, Format>>;
