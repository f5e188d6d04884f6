/**
 * Serves agents at `/mcp`, with the Model Context Protocol over streamable HTTP. There are no sessions, so any instance can answer
 * any request. Every message needs a key, and tool calls pass the same access checks as REST requests. The protocol's code is loaded
 * on first use.
 */
import { Access, type AccessServices } from '../access/access.ts';
import { KEY_HEADER_OR_BEARER } from '../access/key-source.ts';
import type { Market } from '../catalogue/market.ts';
import { type Answer, type BodyRule, type Exchange, type Handler, headerOf } from '../http/exchange.ts';
import type { FreeWork } from '../http/free-work.ts';
import type { Log } from '../operations/log.ts';
import { Problem } from '../problem.ts';
import type { RouteAnswers } from '../rest/rest.ts';

export const MCP_PATH = '/mcp';
/** No GET, because there are no streams; no DELETE, because there are no sessions. */
export const MCP_METHODS = ['POST'];

const MOST_BYTES = 262_144;

export interface McpServices {
  access: AccessServices;
  market: Market;
  log: Log;
  /** Origins whose pages may send requests; `*` for all. */
  corsOrigins: readonly string[];
}

/** Where agents send their key. MCP requires an HTTP error for clients without a valid one (2025-11-25, Authorization). */
export const MCP_KEY_SOURCE = KEY_HEADER_OR_BEARER;

/** Allows a body only if the key is well-formed and the origin is allowed. */
export function mcpBodyRule({ market, corsOrigins }: McpServices): BodyRule {
  return (exchange) => {
    const hasKey = MCP_KEY_SOURCE.secretOf(exchange.headers) !== undefined;
    const isRefused = !hasKey || exchange.access.isMalformed() || isForeign(exchange, corsOrigins, market);
    return isRefused ? 0 : MOST_BYTES;
  };
}

/** Makes the handler of `POST /mcp`. */
export function serveMcp(
  { access, market, log, corsOrigins }: McpServices,
  routes: RouteAnswers,
  freeWork: FreeWork,
): Handler {
  return async (exchange): Promise<Answer> => {
    if (isForeign(exchange, corsOrigins, market)) {
      const detail =
        'Pages of this origin may not send requests to this service: ask the operator to add it to CORS_ORIGINS.';
      throw new Problem('origin_not_allowed', detail);
    }
    if (!(await exchange.access.recognise())) await exchange.access.refuse();
    const secret = MCP_KEY_SOURCE.secretOf(exchange.headers) ?? null;
    const body = exchange.body();
    const { answerMessages } = await import('./protocol.ts');
    const openCall = () => {
      const call = new Access(secret, exchange.addressOf, access);
      // Each call is admitted and counted by itself; all are refunded if the whole request fails.
      exchange.access.include(call);
      return call;
    };
    return answerMessages(body, exchange, { market, log, routes, openAccess: openCall }, freeWork.queued(exchange, 0));
  };
}

/**
 * Whether the request comes from a page of an origin that is not allowed. Such a page must not reach a server in its visitor's
 * network (MCP 2025-11-25, Transports, Security Warning).
 */
function isForeign(exchange: Exchange, corsOrigins: readonly string[], { publicUrl }: Market): boolean {
  const origin = headerOf(exchange, 'origin');
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return false;
  return origin !== new URL(publicUrl).origin;
}
