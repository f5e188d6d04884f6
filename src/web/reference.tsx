/** The API reference for browsers at `/docs`: Swagger UI on the service's own description, from this server's own files. */
import type { Handler } from '../http/exchange.ts';
import { ROUTES } from '../rest/routes.ts';
import { answerPage } from './answer-page.tsx';
import { DOCS_PATH } from './docs.ts';
import { KeyField } from './key-field.tsx';
import { DataBlock, type Page, type Site } from './layout.tsx';

/** By the operation: values that give an answer together, which the description, an example for each value, does not say. */
const EXAMPLES = Object.fromEntries(ROUTES.map(({ name, example }) => [name, example]));

const PAGE: Page = {
  title: 'API reference',
  description: 'Every route, parameter and answer of the Product Data API, to try with a key.',
  path: DOCS_PATH,
  content: (
    <>
      <h1>API reference</h1>
      <p class="lede">
        Every route of the REST API, from its own <a href="/api/v1/openapi.json">OpenAPI description</a>. In prose: the{' '}
        <a href="/docs/api">guide</a> and the <a href="/docs/errors">errors</a>. Open a route, and “Execute” asks it.
      </p>
      <div class="card key-card">
        <KeyField hint="Goes with what you execute below. Each execution costs what the route says." />
      </div>
      <div id="reference">
        <noscript>
          <p class="notice">
            The reference needs JavaScript. The <a href="/docs/api">guide</a> does not.
          </p>
        </noscript>
      </div>
    </>
  ),
  head: <DataBlock type="application/json" data={EXAMPLES} />,
  styles: ['swagger-ui.css', 'reference.css'],
  scripts: ['reference.js'],
};

/** Serves the page to browsers; other clients get the guide there. */
export function serveReference(site: Site): Handler {
  return (exchange) => answerPage(exchange, PAGE, site, { headers: { Vary: 'Accept' } });
}
