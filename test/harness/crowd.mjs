// A process that holds many connections to a server: `node crowd.mjs <address> <count>`. Each asks once and is then idle, until
// standard input ends: then each asks once more and leaves. Tells both times how many were answered, as a line of JSON.
import { connect } from 'node:net';

const { hostname, port } = new URL(process.argv[2]);
const count = Number(process.argv[3]);
const REQUEST = `GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;

/** Whether a connection is answered with 200. */
const asked = (socket) =>
  new Promise((resolve) => {
    let heard = '';
    const listen = (chunk) => {
      heard += chunk;
      if (!heard.includes('{"status":"ok"}')) return;
      end(heard.startsWith('HTTP/1.1 200'));
    };
    const end = (isAnswered) => {
      socket.off('data', listen);
      socket.off('close', refused);
      resolve(isAnswered);
    };
    const refused = () => end(false);
    socket.on('data', listen);
    socket.on('close', refused);
    if (socket.destroyed) return refused();
    socket.write(REQUEST);
  });

const tell = (answers) => {
  const answered = answers.filter(Boolean).length;
  process.stdout.write(`${JSON.stringify({ answered, refused: answers.length - answered })}\n`);
};

const sockets = [];
const first = [];
// Few at a time, as the queue of connections that a server has not accepted yet is short.
while (sockets.length < count) {
  const batch = Array.from({ length: Math.min(100, count - sockets.length) }, () => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {}); // Told by `close`.
    return socket;
  });
  sockets.push(...batch);
  first.push(...(await Promise.all(batch.map(asked))));
}
tell(first);
process.stdin.resume();
process.stdin.on('end', async () => {
  const kept = sockets.filter((_, n) => first[n]);
  tell(await Promise.all(kept.map(asked)));
  for (const socket of sockets) socket.destroy();
});
