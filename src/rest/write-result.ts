/** From what a row's source gives to the answer as it goes out, with the headers that caches and clients go by (decisions §6). */
import type { Form, Result } from './forms.ts';
import { type WrittenAnswer, writeAnswer } from './kept-answers.ts';
import type { Route } from './route.ts';

/**
 * The answer as it goes out.
 *
 * @param target the address that was asked for, without its origin.
 * @param text what the form has made of the result.
 * @param hasForms whether the address answers in other forms too.
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
    // What differs by key must not be handed to another key; `/` differs by what the client accepts.
    Vary: isPublic ? 'Accept' : hasForms ? 'x-api-key, Accept' : 'x-api-key',
    ...headersOf?.(result),
  };
  if (relations.length > 0) headers.Link = relations.join(', ');
  return writeAnswer(text, headers, links);
}

function nextPage(target: string, body: unknown): Record<string, string> {
  const cursor = (body as { page?: { nextCursor?: string } }).page?.nextCursor;
  if (cursor === undefined) return {};
  // A query may hold further question marks (RFC 3986 §3.4).
  const mark = `${target}?`.indexOf('?');
  const query = new URLSearchParams(target.slice(mark + 1));
  query.set('cursor', cursor);
  return { next: `${target.slice(0, mark)}?${query}` };
}
