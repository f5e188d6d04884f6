/** The page that shows a problem to browsers, at URLs that are pages. Programs get problem details. */
import { LRUCache } from 'lru-cache';
import { maskSecrets } from '../access/secret.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import type { Problem } from '../problem.ts';
import { respond, type WrittenAnswer } from '../rest/kept-answers.ts';
import { writePage } from './answer-page.tsx';
import type { Page, Site } from './layout.tsx';
import { prefersHtml } from './prefers-html.ts';

// A client that is refused again and again gets a page that is already written.
const MOST_KEPT = 100;

/** Makes the function that answers with the page of a problem; it returns `undefined` for programs. */
export function openProblemPages(site: Site): (exchange: Exchange, problem: Problem) => Answer | undefined {
  const kept = new LRUCache<string, WrittenAnswer>({ max: MOST_KEPT });

  return (exchange, problem) => {
    if (exchange.endpoint.face !== 'page' || !prefersHtml(exchange, ['application/json'])) return undefined;
    const { status, headers, message } = problem;
    const key = JSON.stringify([status, message, headers]);
    let written = kept.get(key);
    if (!written) {
      written = writePage(pageOf(problem), site, { status, headers: { ...headers, 'Cache-Control': 'no-store' } });
      kept.set(key, written);
    }
    return respond(exchange, written);
  };
}

const pageOf = ({ title, message }: Problem): Page => ({
  title,
  description: title,
  path: '',
  content: (
    <>
      <h1>{title}</h1>
      <p class="lede">{maskSecrets(message)}</p>
      <p>
        <a href="/">Back to the front page</a>
      </p>
    </>
  ),
  width: 'reading',
  head: <meta name="robots" content="noindex" />,
});
