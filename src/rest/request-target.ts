/** Builds the path and query of a request from a route and the values of its parameters. */
import type { Route } from './route.ts';

/** The path, and the query from `?` on, both percent-encoded. Parameters are in the order of `values`. */
export function requestTarget(
  { path }: Route,
  values: Readonly<Record<string, string | number>>,
): { pathname: string; search: string } {
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const query = Object.entries(values)
    .filter(([name]) => !path.includes(`{${name}}`))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return { pathname, search: query.length > 0 ? `?${query.join('&')}` : '' };
}
