// Fastify and pg as one would write them by hand: two prepared statements a request, no key, no quota, no limits.
import Fastify from 'fastify';
import pg from 'pg';
import { answerOf, gtinOf } from './answer.js';
import { OFFERS, PRODUCT } from './sql.js';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = Fastify();
app.get('/api/v1/lookup', async (request, reply) => {
  const { ean } = request.query;
  const [product] = (await pool.query({ ...PRODUCT, values: [gtinOf(ean)] })).rows;
  if (!product) return reply.code(404).send({ status: 404 });
  const { rows } = await pool.query({ ...OFFERS, values: [product.id] });
  return answerOf(ean, product, rows, process.env.PUBLIC_URL);
});
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
