// Clients without a key that repeat one kind of free request, each on its own connection and without a pause, until their time is over. Prints the
// answers by status as JSON. A process of its own, like the other clients.
import { Agent, request } from 'node:http';
import { getIntrospectionQuery } from 'graphql';

const [address, kind, seconds, connections] = process.argv.slice(2);

let turn = 0;
const post = (query) => ({
  path: '/graphql',
  method: 'POST',
  headers: { 'content-type': 'application/json', 'accept-encoding': 'br' },
  body: JSON.stringify({ query }),
});
const get = (path, headers = {}) => ({ path, method: 'GET', headers, body: '' });
const kinds = {
  introspection: () => post(getIntrospectionQuery()),
  'ever new introspections': () => post(getIntrospectionQuery().replace('__schema', `of${turn}: __schema`)),
  OpenAPI: () => get(`/api/v1/openapi.json?${turn}`, { 'accept-encoding': 'br' }),
  suggestions: () => get(`/suggest?q=${turn.toString(36)}`),
  searches: () => get(`/search?q=${turn.toString(36)}`),
};

const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const { hostname, port } = new URL(address);
const end = performance.now() + Number(seconds) * 1_000;
const statuses = {};

function ask() {
  turn += 1;
  const { path, method, headers, body } = kinds[kind]();
  return new Promise((resolve) => {
    const asking = request({ agent, hostname, port, path, method, headers, timeout: 5_000 }, (answer) => {
      answer.resume();
      answer.on('close', () => resolve(answer.statusCode));
    });
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => resolve(0));
    asking.end(body);
  });
}

async function repeat() {
  while (performance.now() < end) {
    const status = await ask();
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

await Promise.all(Array.from({ length: Number(connections) }, repeat));
agent.destroy();
console.log(JSON.stringify(statuses));
