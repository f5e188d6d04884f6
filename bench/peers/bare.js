// node:http answering a constant of a lookup's size: what no service on Node.js can pass.
import { createServer } from 'node:http';

const body = Buffer.alloc(Number(process.env.ANSWER_BYTES), 'x');
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
