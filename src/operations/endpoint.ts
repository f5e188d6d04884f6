/** What a request was for, as metrics, the log and traces name it: few names, none of them a client's own words. */

/** Which of the service's faces has answered. `page` is for people, `other` what is none of them, such as health checks. */
export type Face = 'rest' | 'graphql' | 'mcp' | 'page' | 'other';

export interface Endpoint {
  readonly face: Face;
  /** The path's template, such as `/api/v1/products/{slug}`; never a path that a client has sent. */
  readonly route: string;
  /** Over GraphQL the root fields, over MCP the tool; empty elsewhere. */
  readonly operation: string;
}

const known = new Map<string, Endpoint>();

/** An endpoint; always the same object for the same names, so that figures can be found by it. */
export function endpointOf(face: Face, route: string, operation = ''): Endpoint {
  const name = `${face} ${route} ${operation}`;
  let endpoint = known.get(name);
  if (!endpoint) {
    endpoint = Object.freeze({ face, route, operation });
    known.set(name, endpoint);
  }
  return endpoint;
}

/** What nobody has answered yet, and paths that there are not. */
export const UNMATCHED = endpointOf('other', 'unmatched');
