/** Prepares the description of the API for trying it on a page. */

interface Parameter {
  name: string;
  description?: string;
  example?: unknown;
}

interface Description {
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>;
}

/** Values of parameters that have a result together, by operation id. */
export type Examples = Record<string, Record<string, unknown>>;

/** Fetches the description, with the given examples in its fields and other example values in its text. @throws if it cannot. */
export async function fetchDescription(examples: Examples): Promise<Description> {
  const response = await fetch('/api/v1/openapi.json');
  const description: Description = await response.json();
  // The public URL may differ, but requests from the page go to the server that sent it.
  description.servers = [{ url: location.origin }];
  for (const operation of Object.values(description.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) {
      const example = examples[operation.operationId]?.[parameter.name];
      if (parameter.example !== undefined && example === undefined) {
        parameter.description = `${parameter.description ?? ''} For example \`${parameter.example}\`.`;
      }
      // Swagger UI would send each separate example, and they do not fit together.
      delete parameter.example;
      if (example !== undefined) parameter.example = example;
    }
  }
  return description;
}
