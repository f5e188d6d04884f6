/**
 * The face for agents: the Model Context Protocol over streamable HTTP, at `/mcp`. There are no sessions, so that any
 * instance can answer any request; every message needs a key, and tool calls pass through the access that REST requests
 * pass through. What speaks the protocol is loaded when it is first spoken.
 */
import { type Access, type AccessServices, openAccess } from '../access/access.ts';
import { KEY_HEADER_OR_BEARER } from '../access/key-source.ts';
import type { Market } from '../catalogue/market.ts';
import { type Answer, type BodyRule, type Exchange, type Handler, headerOf } from '../http/exchange.ts';
import type { Log } from '../operations/log.ts';
import { Problem } from '../problem.ts';
import type { RouteAnswers } from '../rest/rest.ts';

export const MCP_PATH = '/mcp';
/** There is no stream to open by GET, and no session to end by DELETE. */
export const MCP_METHODS = ['POST'];

const MOST_BYTES = 262_144;

export interface McpServices {
  access: AccessServices;
  market: Market;
  log: Log;
  /** Origins whose browsers may ask; `*` for all. */
  corsOrigins: readonly string[];
}

/** Where agents send their key. MCP wants clients without a valid one told by HTTP, before any message (2025-11-25, Authorization). */
export const MCP_KEY_SOURCE = KEY_HEADER_OR_BEARER;

/** Has the body read only of a request whose key has the right form and whose origin is allowed. */
export function mcpBodyRule({ market, corsOrigins }: McpServices): BodyRule {
  return (exchange) => {
    const hasKey = MCP_KEY_SOURCE.secretOf(exchange.headers) !== undefined;
    const isRefused = !hasKey || exchange.access.isMalformed() || isForeign(exchange, corsOrigins, market);
    return isRefused ? 0 : MOST_BYTES;
  };
}

/** Makes the handler of `POST /mcp`. */
export function serveMcp({ access, market, log, corsOrigins }: McpServices, routes: RouteAnswers): Handler {
  return async (exchange): Promise<Answer> => {
    if (isForeign(exchange, corsOrigins, market)) throw foreignOrigin();
    if (!(await exchange.access.recognise())) exchange.access.refuse();
    const secret = MCP_KEY_SOURCE.secretOf(exchange.headers);
    const calls = openCalls(exchange);
    const body = exchange.body();
    const { answerMessages } = await import('./protocol.ts');
    return answerMessages(body, exchange, {
      market,
      log,
      routes,
      openAccess: () => calls.add(openAccess(secret ?? null, exchange.addressOf, access)),
    });
  };
}

/**
 * The calls of a request. Each is admitted, counted and given back by itself; the log tells their sum, and a request that fails as a
 * whole gives all of them back.
 */
function openCalls(exchange: Exchange): { add(call: Access): Access } {
  const calls: Access[] = [];
  const { access } = exchange;
  exchange.access = {
    ...access,
    charged: () => calls.reduce((sum, call) => sum + call.charged(), 0),
    async conclude(status) {
      if (status >= 500) await Promise.all(calls.map((call) => call.conclude(status)));
      return access.conclude(status);
    },
  };
  return {
    add(call) {
      calls.push(call);
      return call;
    },
  };
}

/**
 * Whether a page of an origin that is not allowed asks: it must not reach a server in its reader's own network (MCP 2025-11-25,
 * Transports, Security Warning).
 */
function isForeign(exchange: Exchange, corsOrigins: readonly string[], { publicUrl }: Market): boolean {
  const origin = headerOf(exchange, 'origin');
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return false;
  return origin !== new URL(publicUrl).origin;
}

function foreignOrigin(): Problem {
  return new Problem(
    'origin_not_allowed',
    'Pages of this origin may not send requests here: ask the operator to allow it by CORS_ORIGINS.',
  );
}
