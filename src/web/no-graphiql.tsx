/** What a person finds at `/graphql` where GraphiQL is switched off. */
import { GRAPHQL_PATH } from '../graphql/serve-graphql.ts';
import type { Handler } from '../http/exchange.ts';
import { answerPage } from './answer-page.tsx';
import type { Page } from './layout.tsx';

const PAGE: Page = {
  title: 'GraphiQL is switched off',
  description: 'GraphiQL is switched off at this service.',
  path: GRAPHQL_PATH,
  content: (
    <>
      <h1>GraphiQL is switched off here</h1>
      <p class="lede">This service takes operations at this address, by programs, and has no page to write them on.</p>
      <p>
        How to send them is in the <a href="/docs/api#graphql">guide</a>; lookups can be tried without GraphQL in the{' '}
        <a href="/docs">API reference</a>.
      </p>
    </>
  ),
  width: 'reading',
  head: <meta name="robots" content="noindex" />,
};

/** Says so to browsers that send no operation. */
export const serveNoGraphiql: Handler = (exchange) =>
  answerPage(exchange, PAGE, { hasGraphiql: false }, { status: 404, headers: { Vary: 'Accept' } });
