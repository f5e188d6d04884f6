/**
 * The face for agents: the Model Context Protocol over streamable HTTP, at `/mcp`. There are no sessions, so that any
 * instance can answer any request; every message needs a key, and tool calls pass through the access that REST requests
 * pass through. What speaks the protocol is loaded when it is first spoken.
 */
import { type Access, type AccessServices, keyRefusalOf, openAccess } from '../access/access.ts';
import type { Market } from '../catalogue/market.ts';
import { type Answer, type Exchange, type Handler, headerOf } from '../http/exchange.ts';
import { readBody } from '../http/read-body.ts';
import type { Log } from '../operations/log.ts';
import { Problem } from '../problem.ts';
import type { RouteAnswers } from '../rest/rest.ts';

export const MCP_PATH = '/mcp';
/** There is no stream to open by GET, and no session to end by DELETE. */
export const MCP_METHODS = 'POST, OPTIONS';

const MOST_BYTES = 262_144;

export interface McpServices {
  access: AccessServices;
  market: Market;
  log: Log;
  /** Origins whose browsers may ask; `*` for all. */
  corsOrigins: readonly string[];
}

/** Makes the handler of `POST /mcp`; all else is left to the next. */
export function serveMcp({ access, market, log, corsOrigins }: McpServices, routes: RouteAnswers): Handler {
  const answer = async (exchange: Exchange): Promise<Answer> => {
    refuseForeignOrigin(headerOf(exchange, 'origin'), corsOrigins, market);
    const secret = secretOf(exchange);
    exchange.access = openAccess(secret ?? null, exchange.addressOf, access);
    if (!(await exchange.access.recognise())) {
      access.onRefused?.(keyRefusalOf(secret));
      throw keyProblem(secret);
    }
    // Each call of a batch is let pass, counted and given back by itself; the log tells of them together.
    const calls: Access[] = [];
    exchange.access = { ...exchange.access, charged: () => calls.reduce((sum, call) => sum + call.charged(), 0) };
    const body = await readBody(exchange.incoming, MOST_BYTES);
    const { answerMessages } = await import('./protocol.ts');
    return answerMessages(body, exchange, {
      market,
      log,
      routes,
      openAccess() {
        const call = openAccess(secret ?? null, exchange.addressOf, access);
        calls.push(call);
        return call;
      },
    });
  };
  return (exchange) => (exchange.pathname === MCP_PATH && exchange.method === 'POST' ? answer(exchange) : undefined);
}

/** The key: from where all faces take it, or as a bearer token, which is all that many MCP clients can send (RFC 6750 §2.1). */
function secretOf(exchange: Exchange): string | undefined {
  const bearer = /^Bearer +(\S+) *$/i.exec(headerOf(exchange, 'authorization') ?? '')?.[1];
  return headerOf(exchange, 'x-api-key') || bearer;
}

/** MCP has clients without a valid key told by HTTP (MCP 2025-11-25, Authorization, Error Handling): 401, before any message. */
function keyProblem(secret: string | undefined): Problem {
  const headers = { 'WWW-Authenticate': 'ApiKey, Bearer' };
  if (secret === undefined) {
    const detail =
      'Send your API key in the `x-api-key` header, or as `Authorization: Bearer <key>`: both are set where the client is told the address of this server.';
    return new Problem('missing_api_key', detail, { headers });
  }
  const detail =
    'The API key is unknown, revoked or expired: check it for typing errors, or ask the operator for a new one.';
  return new Problem('invalid_api_key', detail, { headers });
}

/** A page that is not to be trusted must not reach a server in its reader's own network (MCP 2025-11-25, Transports, Security Warning). */
function refuseForeignOrigin(origin: string | undefined, corsOrigins: readonly string[], { publicUrl }: Market): void {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return;
  if (origin === new URL(publicUrl).origin) return;
  throw new Problem(
    'origin_not_allowed',
    'Pages of this origin may not ask: ask the operator to allow it by CORS_ORIGINS.',
  );
}
