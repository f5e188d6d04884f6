// Receives the messages of webhooks, and prints its URL, then several times a second how many different messages it has received, and the
// times of the first and the last one in milliseconds of the epoch. A process of its own, like the export's reader.
import { createServer } from 'node:http';

const received = new Set();
let attempts = 0;
let firstAt = 0;
let lastAt = 0;
const server = createServer((incoming, outgoing) => {
  let text = '';
  incoming.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  incoming.on('end', () => {
    const { type, data } = JSON.parse(text);
    if (type === 'webhook.verify') return outgoing.end(data.challenge);
    attempts += 1;
    received.add(incoming.headers['webhook-id']);
    lastAt = Date.now();
    firstAt ||= lastAt;
    outgoing.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
process.stdout.on('error', () => process.exit());
setInterval(() => console.log(JSON.stringify({ count: received.size, attempts, firstAt, lastAt })), 100);
