/** GraphiQL for browsers at `/graphql`, served entirely by this server. */
import { GRAPHQL_PATH } from '../graphql/serve-graphql.ts';
import type { Handler } from '../http/exchange.ts';
import { serveFixed } from '../rest/kept-answers.ts';
import { writePage } from './answer-page.tsx';
import { assetUrl } from './assets.ts';
import { EXAMPLES } from './graphiql-examples.ts';
import { DataBlock } from './layout.tsx';
import type { Policy } from './security-headers.ts';

// The editor sets colours and sizes with inline styles, embeds its font in its stylesheet, and checks the text in workers.
const POLICY: Policy = {
  'style-src': "'self' 'unsafe-inline'",
  'font-src': "'self' data:",
  'img-src': "'self' data:",
  'worker-src': "'self'",
};

/** Serves the page to browsers. */
export function serveGraphiql(): Handler {
  return serveFixed(() => {
    const workers = {
      editorWorkerService: assetUrl('graphiql-editor-worker.js'),
      graphql: assetUrl('graphiql-graphql-worker.js'),
      json: assetUrl('graphiql-json-worker.js'),
    };
    const settings = { endpoint: GRAPHQL_PATH, examples: EXAMPLES, workers };
    const page = {
      title: 'GraphiQL',
      description: 'Query the Product Data API over GraphQL, with examples, completion and documentation.',
      path: GRAPHQL_PATH,
      content: (
        <div id="graphiql">
          <noscript>GraphiQL needs JavaScript. Operations can also be sent with any HTTP client.</noscript>
        </div>
      ),
      head: <DataBlock type="application/json" data={settings} />,
      styles: ['graphiql-app.css', 'graphiql.css'],
      scripts: ['graphiql-app.js', 'graphiql.js'],
      width: 'bare' as const,
    };
    return writePage(page, { hasGraphiql: true }, { policy: POLICY, headers: { Vary: 'Accept' } });
  });
}
