/** The API reference for browsers at `/docs`: Swagger UI with the service's own description, all served by this server. */
import type { Handler } from '../http/exchange.ts';
import { serveFixed } from '../rest/kept-answers.ts';
import { ROUTES } from '../rest/routes.ts';
import { writePage } from './answer-page.tsx';
import { DOCS_PATH } from './docs.ts';
import { KeyField } from './key-field.tsx';
import { DataBlock, type Page, type Site } from './layout.tsx';

/** By operation: values that have a result together. The description has only separate examples for each parameter. */
const EXAMPLES = Object.fromEntries(ROUTES.map(({ name, example }) => [name, example]));

const PAGE: Page = {
  title: 'API reference',
  description: 'Every route, parameter and response of the Product Data API, to try with a key.',
  path: DOCS_PATH,
  content: (
    <>
      <h1>API reference</h1>
      <p class="lede">
        Every route of the REST API, from its <a href="/api/v1/openapi.json">OpenAPI description</a>. See also the{' '}
        <a href="/docs/api">guide</a> and the <a href="/docs/errors">errors</a>. To try a route, open it and press
        “Execute”.
      </p>
      <div class="card key-card">
        <KeyField hint="Sent with every request you execute below. Each request costs what its route says." />
      </div>
      <div id="reference">
        <noscript>
          <p class="notice">
            The reference needs JavaScript. The <a href="/docs/api">guide</a> works without it.
          </p>
        </noscript>
      </div>
    </>
  ),
  head: <DataBlock type="application/json" data={EXAMPLES} />,
  styles: ['swagger-ui.css', 'reference.css'],
  scripts: ['reference.js'],
};

/** Serves the page to browsers; other clients get the guide. */
export function serveReference(site: Site): Handler {
  return serveFixed(() => writePage(PAGE, site, { headers: { Vary: 'Accept' } }));
}
