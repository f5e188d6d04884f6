/** Shows the description of the API with Swagger UI, with the key that all pages share. */
import SwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { type Examples, fetchDescription } from './parts/description.ts';
import { connectKeyField } from './parts/kept-key.ts';

// The name of the security scheme in the description.
const SCHEME = 'apiKey';

interface System {
  React: { createElement(type: string, properties: object, ...children: unknown[]): unknown };
}

// A route's heading is already a button, and a link inside would be a nested control. The URL changes even without it.
const plainHeadings = ({ React }: System) => ({
  components: { DeepLink: ({ text }: { text: unknown }) => React.createElement('span', {}, text) },
});

/** Fixes accessibility: labels unnamed controls, makes scrollable code focusable, and leaves the page only one main landmark. */
function amend(reference: Element): void {
  reference.querySelector('main')?.setAttribute('role', 'presentation');
  for (const select of reference.querySelectorAll('.examples-select-element')) {
    select.setAttribute('aria-label', 'Example');
  }
  for (const code of reference.querySelectorAll<HTMLElement>('pre:not([tabindex])')) code.tabIndex = 0;
}

const reference = document.querySelector('#reference');
if (!reference) throw new Error('The page has no #reference.');
const examples: Examples = JSON.parse(document.querySelector('script[type="application/json"]')?.textContent ?? '{}');

new MutationObserver(() => amend(reference)).observe(reference, { childList: true, subtree: true });

const ui = SwaggerUi({
  spec: await fetchDescription(examples),
  domNode: reference,
  plugins: [plainHeadings],
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  syntaxHighlight: false,
  validatorUrl: null,
  onComplete() {
    let isAuthorized = false;
    connectKeyField((key) => {
      if (key !== '') ui.preauthorizeApiKey(SCHEME, key);
      else if (isAuthorized) ui.authActions.logout([SCHEME]);
      isAuthorized = key !== '';
    });
  },
});
