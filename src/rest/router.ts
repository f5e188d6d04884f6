/** Which row of the table a path is. */
import type { Route } from './route.ts';

export interface Match {
  route: Route;
  /** The values in the path, decoded. */
  path: Record<string, string>;
}

/** Makes the finder of routes: paths without values by one look, the others in the order of the table. */
export function makeRouter(routes: readonly Route[]): (pathname: string) => Match | undefined {
  const exact = new Map(routes.map((route) => [route.path, { route, path: {} }]));
  const patterns = routes
    .filter((route) => route.path.includes('{'))
    .map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) }));

  return (pathname) => {
    const found = exact.get(pathname);
    if (found) return found;
    for (const { route, pattern } of patterns) {
      const groups = pattern.exec(pathname)?.groups;
      const path = groups && decodeAll(groups);
      if (path) return { route, path };
    }
    return undefined;
  };
}

function decodeAll(values: Record<string, string>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined; // A stray `%` names nothing: the path is unknown.
  }
}
