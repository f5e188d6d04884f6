/** Runs GraphQL documents for a page of the console. */
import type { Document } from '../../graphql/document.ts';
import { openQuery } from '../../graphql/open-query.ts';
import type { Visit } from './visit.ts';

/** The function that runs a document for a visit. It is compiled when it is first needed, since few gateways serve the console. */
export function openVisitQuery<Result, Variables extends object>(document: Document<Result, Variables>) {
  let query: ReturnType<typeof openQuery<Result, Variables>> | undefined;
  return ({ exchange, services: { shared } }: Visit, variables: Variables): Promise<Result> => {
    query ??= openQuery(document);
    return query({ ...shared, access: exchange.access }, variables);
  };
}
