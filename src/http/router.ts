/** Finds the row of a path. */

/** The values in a path, by their names in the pattern. */
export type PathValues = Readonly<Record<string, string>>;

export interface Match<Row> {
  row: Row;
  values: PathValues;
}

/**
 * Makes the function that finds rows: with one lookup for a path without values, else in the order of the rows. In a row's path,
 * `{name}` is one segment, decoded. `{name...}` at the end is the rest of the path, undecoded and possibly empty.
 */
export function makeRouter<Row extends { path: string }>(
  rows: readonly Row[],
): (pathname: string) => Match<Row> | undefined {
  const exact = new Map(rows.map((row) => [row.path, { row, values: {} }]));
  const patterns = rows.filter(({ path }) => path.includes('{')).map((row) => ({ row, read: readerOf(row.path) }));

  return (pathname) => {
    const found = exact.get(pathname);
    if (found) return found;
    for (const { row, read } of patterns) {
      const values = read(pathname);
      if (values) return { row, values };
    }
    return undefined;
  };
}

/** Makes the function that reads the values of a path; it returns `undefined` for paths that do not match. */
function readerOf(pattern: string): (pathname: string) => Record<string, string> | undefined {
  const [, prefix, rest] = /^([^{]*)\{(\w+)\.\.\.\}$/.exec(pattern) ?? [];
  if (prefix !== undefined && rest !== undefined) {
    return (pathname) => (pathname.startsWith(prefix) ? { [rest]: pathname.slice(prefix.length) } : undefined);
  }
  const expression = new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  return (pathname) => {
    const groups = expression.exec(pathname)?.groups;
    return groups && decodeAll(groups);
  };
}

function decodeAll(values: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined; // With a stray `%`, the path is unknown.
  }
}
