/** From a row and the values of its parameters to the address that asks for it. */
import type { Route } from './route.ts';

/** The path and what follows it from `?` on, both percent-encoded. The order of `values` is the order in the address. */
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
