/** Turns a route's result into the response, with its headers for caches and clients (decisions §6). */
import type { Form, Result } from './forms.ts';
import { type WrittenAnswer, writeAnswer } from './kept-answers.ts';
import type { Route } from './route.ts';

/**
 * The response to be sent.
 *
 * @param target the requested URL, without its origin.
 * @param text the rendered result.
 * @param hasForms whether the route has other forms too.
 */
export function writeResult(
  { access }: Route,
  target: string,
  result: Result,
  { mediaType, headersOf }: Form,
  text: string,
  hasForms: boolean,
): WrittenAnswer {
  const { body, links } = result;
  const isPublic = access === 'limited';
  const relations = Object.entries({ ...links, ...nextPage(target, body) }).map(
    ([relation, path]) => `<${path}>; rel="${relation}"`,
  );
  const headers: Record<string, string> = {
    'Content-Type': mediaType,
    'Cache-Control': isPublic ? 'public, max-age=3600' : 'private, max-age=30',
    // Caches must not share responses between keys. At `/`, the response depends on `Accept`.
    Vary: isPublic ? 'Accept' : hasForms ? 'x-api-key, Accept' : 'x-api-key',
    ...headersOf?.(result),
  };
  if (relations.length > 0) headers.Link = relations.join(', ');
  return writeAnswer(text, headers, links);
}

function nextPage(target: string, body: unknown): Record<string, string> {
  const cursor = (body as { page?: { nextCursor?: string } }).page?.nextCursor;
  if (cursor === undefined) return {};
  // A query may contain further question marks (RFC 3986 §3.4).
  const mark = `${target}?`.indexOf('?');
  const query = new URLSearchParams(target.slice(mark + 1));
  query.set('cursor', cursor);
  return { next: `${target.slice(0, mark)}?${query}` };
}
