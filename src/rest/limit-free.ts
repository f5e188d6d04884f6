/** Counts what is shown to everybody and takes work to make, by the client's address: no one may have it made without end. */
import { type Handler, isRead } from '../http/exchange.ts';

const PATHS = /^\/(products|go|docs)(\/|$)/;

/** Stands before the handlers of those pages. What is read from memory, as assets and health are, is not counted. */
export const limitFree: Handler = (exchange) => {
  if (PATHS.test(exchange.pathname) && isRead(exchange)) exchange.access.admitFree();
  return undefined;
};
