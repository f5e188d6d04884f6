/** From Node's request to an exchange: its address, its id, its row of the route table, and the key that it carries. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccessServices, openAccess } from '../access/access.ts';
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
  /** Its path in the route table; nothing for paths that there are not. */
  found: Found | undefined;
  startedAt: number;
  /** Whether its client has been answered that it took too long. */
  isLate: boolean;
}

export interface ArrivalServices {
  access: AccessServices;
  market: Market;
  /** The client that a request comes from, as limits count it. */
  clientAddress(incoming: IncomingMessage): string;
}

/** Makes what receives requests. It refuses those that do not say where they go, and gives nothing then. */
export function openArrivals(
  { access, market, clientAddress }: ArrivalServices,
  routes: RouteTable,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Passing | undefined {
  return (incoming, outgoing) => {
    const startedAt = performance.now();
    const { method = 'GET', url = '', headers } = incoming;
    if (hasSeveralHosts(incoming.rawHeaders)) {
      answerUnreadable(market, outgoing, 'hosts');
      return undefined;
    }
    // HTTP/1.0 knows no Host, and some balancers' health checks still speak it.
    const host = headers.host ?? (incoming.httpVersion === '1.0' ? 'localhost' : undefined);
    const address = host ? readAddress(url, host) : undefined;
    if (!address) {
      answerUnreadable(market, outgoing, 'address');
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
        access: openAccess(source.secretOf(headers) ?? null, addressOf, access, source),
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
