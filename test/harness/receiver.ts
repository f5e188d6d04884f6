/** A receiver of webhook messages: a real HTTP server that confirms its address, records messages, and answers as a test wants. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Queryable } from '../../src/database/database.ts';
import { expectEventually } from './eventually.ts';

/** A message as it arrived. */
export interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of any shape, and fail if they are not as expected.
  body: any;
}

type Answering = (response: ServerResponse, received: Received) => void;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Repeats the text of `webhook.verify`, which confirms the address. */
export const confirmAddress: Answering = (response, { body }) => response.end(body.data.challenge);

/** Starts a receiver. @param answer responds to each message; with 204 by default. @param verify the same for `webhook.verify`. */
export async function startReceiver(
  answer: Answering = (response) => response.writeHead(204).end(),
  verify: Answering = confirmAddress,
) {
  const received: Received[] = [];
  const verifications: Received[] = [];
  let respondToVerification = verify;
  let waiting: (() => void)[] = [];
  let respond = answer;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const message = { headers: request.headers, text, body: JSON.parse(text) };
    if (message.body.type === 'webhook.verify') {
      verifications.push(message);
      respondToVerification(response, message);
      return;
    }
    received.push(message);
    respond(response, message);
    for (const wake of waiting) wake();
    waiting = [];
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    /** The messages `webhook.verify`. */
    verifications,
    verifyWith(next: Answering) {
      respondToVerification = next;
    },
    /** Answers all further messages in this way. */
    answerWith(next: Answering) {
      respond = next;
    },
    /** Waits until this many messages have arrived. */
    async messages(count: number): Promise<Received[]> {
      while (received.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return received;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Waits until all addresses are confirmed. */
export const allConfirmed = (database: Queryable) =>
  expectEventually(() => database.query('SELECT id FROM webhook WHERE verify_attempts IS NOT NULL'), []);

/** Confirms all addresses, for tests whose receivers do not exist. */
export const confirmAll = (database: Queryable) =>
  database.query(
    'UPDATE webhook SET disabled_at = NULL, disabled_reason = NULL, verify_attempts = NULL, verify_at = NULL',
  );

/** Verifies a message with the official library. @throws if the signature is wrong. */
export const verify = (secret: string, { text, headers }: Received) =>
  new Webhook(secret).verify(text, headers as Record<string, string>);
