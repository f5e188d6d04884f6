/** A real agent: the official MCP client, connected to a gateway. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The revision whose sessions start with a handshake, and the one without sessions. */
export type Revision = '2025-11-25' | '2026-07-28';

export interface Agent {
  client: Client;
  call(tool: string, args?: Record<string, unknown>): Promise<CallToolResult>;
}

/** Connects a client that sends these headers. @param fetchBy the function that sends its requests. */
export async function connectAgent(
  address: string,
  headers: Record<string, string>,
  revision: Revision = '2025-11-25',
  fetchBy: typeof fetch = fetch,
): Promise<Agent> {
  const mode = revision === '2025-11-25' ? 'legacy' : { pin: revision };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit: { headers }, fetch: fetchBy }),
  );
  return { client, call: (name, args = {}) => client.callTool({ name, arguments: args }) };
}

/** The text of a result, for a client that reads only text. */
export function textOf({ content }: CallToolResult): string {
  return content.map((each) => (each.type === 'text' ? each.text : '')).join('');
}
