/** The description of the API, made ready to be tried on a page. */

interface Parameter {
  name: string;
  description?: string;
  example?: unknown;
}

interface Description {
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>;
}

/** Values of parameters that give an answer together, by the operation's id. */
export type Examples = Record<string, Record<string, unknown>>;

/**
 * Fetches the description. Its fields begin with the values of the examples; what else a value may look like is said beside it.
 *
 * @throws when it cannot be had.
 */
export async function fetchDescription(examples: Examples): Promise<Description> {
  const response = await fetch('/api/v1/openapi.json');
  const description: Description = await response.json();
  // The service may have another name for its clients; what is tried here asks the server that sent the page.
  description.servers = [{ url: location.origin }];
  for (const operation of Object.values(description.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) {
      const example = examples[operation.operationId]?.[parameter.name];
      if (parameter.example !== undefined && example === undefined) {
        parameter.description = `${parameter.description ?? ''} For example \`${parameter.example}\`.`;
      }
      // Left there, it would be sent, and with it what does not go with the others.
      delete parameter.example;
      if (example !== undefined) parameter.example = example;
    }
  }
  return description;
}
