/** Shows the description of the API with Swagger UI. The key is the one that all pages share. */
import SwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { connectKeyField } from './parts/kept-key.ts';

interface Description {
  servers: { url: string }[];
}

// The name of the scheme in the description.
const SCHEME = 'apiKey';

// Swagger UI knows dark from a class alone.
const dark = matchMedia('(prefers-color-scheme: dark)');
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColours);
followColours();

const response = await fetch('/api/v1/openapi.json');
const spec: Description = await response.json();
// The service may have another name for its clients; what is tried here asks the server that sent the page.
spec.servers = [{ url: location.origin }];

const ui = SwaggerUi({
  spec,
  domNode: document.querySelector('#reference'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete() {
    connectKeyField((key) => {
      if (key) ui.preauthorizeApiKey(SCHEME, key);
      else ui.authActions.logout([SCHEME]);
    });
  },
});
