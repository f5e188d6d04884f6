/** Receives the messages of a webhook, verifies their signatures and prints them. `npm i standardwebhooks` has the same for many languages. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { webhooks } from '../rest-client/rest-api.ts';

/** The bodies of all kinds of messages, from the service's own description. */
type Message = {
  [Kind in keyof webhooks]: webhooks[Kind]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];

const { WEBHOOK_SECRET = '', PORT = '8787' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);
/** The ids of messages that were handled: a message may arrive more than once. Keep them in a database, for 30 days. */
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  let message: Message;
  try {
    // Also refuses messages older than five minutes, which somebody may have recorded.
    message = webhook.verify(Buffer.concat(chunks).toString(), request.headers as Record<string, string>) as Message;
  } catch {
    response.writeHead(401).end('The signature is not valid.\n');
    return;
  }
  // Sent once, before all others: the answer tells that this server wants the messages of this webhook.
  if (message.type === 'webhook.verify') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(message.data.challenge);
    return;
  }
  // Answer first and work later: the sender waits for at most 15 seconds.
  response.writeHead(204).end();
  const id = String(request.headers['webhook-id']);
  if (handled.has(id)) return;
  handled.add(id);
  const { type, data } = message;
  const { product, previousMin = '–', min = '–', currency, test } = data;
  console.log(
    `${data.at}  ${type}  ${product.name}: from ${previousMin} to ${min} ${currency}${test ? ' (test)' : ''}`,
  );
});

server.listen(Number(PORT), () => console.log(`Listening on port ${(server.address() as AddressInfo).port}.`));
