/** Turns Node's request into an exchange: its address, its id, its place in the route table, and its key. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Access, type AccessServices } from '../access/access.ts';
import { KEY_HEADER } from '../access/key-source.ts';
import type { Market } from '../catalogue/market.ts';
import { UNMATCHED } from '../operations/endpoint.ts';
import { hasSeveralHosts, readAddress } from './address.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { requestIdOf } from './request-log.ts';
import type { Found, RouteTable } from './route-table.ts';
import { answerUnreadable } from './unreadable.ts';

/** A request on its way through the gate. */
export interface Passing {
  exchange: Exchange;
  /** Its place in the route table; `undefined` for unknown paths. */
  found: Found | undefined;
  startedAt: number;
  /** Whether its client was told that the request took too long. */
  isLate: boolean;
}

export interface ArrivalServices {
  access: AccessServices;
  market: Market;
  /** The client's address, in the form that limits count. */
  clientAddress(incoming: IncomingMessage): string;
}

/** Makes the function that receives requests. It refuses those without a valid address, and returns `undefined` for them. */
export function openArrivals(
  { access, market, clientAddress }: ArrivalServices,
  routes: RouteTable,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Passing | undefined {
  return (incoming, outgoing) => {
    const startedAt = performance.now();
    const { method = 'GET', url = '', headers } = incoming;
    // HTTP/1.0 does not require Host, and some load balancers still use it for health checks.
    const host = headers.host ?? (incoming.httpVersion === '1.0' ? 'localhost' : undefined);
    const address = host ? readAddress(url, host) : undefined;
    const hasOneHost = !hasSeveralHosts(incoming.rawHeaders);
    if (!address || !hasOneHost) {
      answerUnreadable(market, outgoing, hasOneHost ? 'address' : 'hosts');
      return undefined;
    }
    const found = routes(address.pathname);
    const source = (method === 'POST' ? found?.row.post?.keySource : undefined) ?? KEY_HEADER;
    const addressOf = () => clientAddress(incoming);
    return {
      exchange: {
        id: requestIdOf(headerOf({ headers }, 'x-request-id')),
        method,
        pathname: address.pathname,
        search: address.search,
        headers,
        addressOf,
        endpoint: UNMATCHED,
        access: new Access(source.secretOf(headers) ?? null, addressOf, access, source),
        body: noBody,
        incoming,
        outgoing,
      },
      found,
      startedAt,
      isLate: false,
    };
  };
}

const noBody = () => '';
