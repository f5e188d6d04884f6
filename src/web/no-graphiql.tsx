/** The page at `/graphql` if GraphiQL is disabled. */
import { GRAPHQL_PATH } from '../graphql/serve-graphql.ts';
import { serveFixed } from '../rest/kept-answers.ts';
import { writePage } from './answer-page.tsx';
import type { Page } from './layout.tsx';

const PAGE: Page = {
  title: 'GraphiQL is disabled',
  description: 'GraphiQL is disabled on this service.',
  path: GRAPHQL_PATH,
  content: (
    <>
      <h1>GraphiQL is disabled</h1>
      <p class="lede">Programs can send GraphQL operations to this URL, but this service has no editor for them.</p>
      <p>
        The <a href="/docs/api#graphql">guide</a> explains how to send them. You can try lookups without GraphQL in the{' '}
        <a href="/docs">API reference</a>.
      </p>
    </>
  ),
  width: 'reading',
  head: <meta name="robots" content="noindex" />,
};

/** Serves the page to browsers that send no operation. */
export const serveNoGraphiql = () =>
  serveFixed(() => writePage(PAGE, { hasGraphiql: false }, { status: 404, headers: { Vary: 'Accept' } }));
