/** What the pages of the console are given, and what they return. */

import type { ComponentChildren } from 'preact';
import type { Context } from '../../catalogue/builder.ts';
import type { Market } from '../../catalogue/market.ts';
import type { Session } from '../../console/sessions.ts';
import type { Database } from '../../database/database.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { PathValues } from '../../http/router.ts';
import type { Log } from '../../operations/log.ts';
import type { Fields } from '../forms/fields.ts';

/** The parts of the gateway that pages use. */
export interface ConsoleServices {
  /** The primary, for all that the command line would do. */
  database: Database;
  market: Market;
  log: Log;
  /** For GraphQL documents that run in process. */
  shared: Omit<Context, 'access'>;
  /** `SECRET_KEY`, under which the headers of feeds are encrypted. */
  secretKey?: string | undefined;
  /** Writes the counts of requests that only this process knows. */
  traffic: { write(): Promise<void> };
}

/** A request of an operator who is signed in. */
export interface Visit {
  exchange: Exchange;
  /** The values in the path. */
  values: PathValues;
  /** The fields of the query; read them with `readFields`. */
  query: Fields;
  /** Its `actor` goes into the audit log with everything that the visit changes. */
  session: Session;
  /** For the `TokenField` of each form. */
  token: string;
  services: ConsoleServices;
}

/** A form that an operator has sent, of whose origin the console is sure. */
export interface FormVisit extends Visit {
  form: Fields;
}

/** A page of the console, which its frame completes. */
export interface ConsolePage {
  title: string;
  /** The path of the entry in the menu to mark, such as `/console/keys`. */
  section: string;
  content: ComponentChildren;
  styles?: readonly string[];
  /** 200 by default. */
  status?: number;
}

/** A path of the console. Pages are shown by GET, and change nothing. */
export interface ConsoleRoute {
  /** Below `/console`, as in the table of routes, such as `/console/keys/{id}`. */
  path: string;
  /** Shows the page. @throws {Problem}, and the refusals of administration, which are shown as a page. */
  show?(visit: Visit): Promise<ConsolePage>;
  /** Does what a form asks for. @returns the path of the page to open then, or a page that is shown once, such as a new key. */
  act?(visit: FormVisit): Promise<string | ConsolePage>;
}
