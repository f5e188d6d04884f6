// The same with what a paid service needs at least: the key is checked and the request counted, durably, before it is answered.
import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { answerOf, gtinOf } from './answer.js';
import { COUNT, OFFERS, PRODUCT } from './sql.js';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const app = Fastify();
app.get('/api/v1/lookup', async (request, reply) => {
  const { ean } = request.query;
  const digest = createHash('sha256').update(String(request.headers['x-api-key'])).digest('hex');
  const [counted] = (await pool.query({ ...COUNT, values: [digest] })).rows;
  if (!counted) return reply.code(402).send({ status: 402 });
  const [product] = (await pool.query({ ...PRODUCT, values: [gtinOf(ean)] })).rows;
  if (!product) return reply.code(404).send({ status: 404 });
  const { rows } = await pool.query({ ...OFFERS, values: [product.id] });
  return answerOf(ean, product, rows, process.env.PUBLIC_URL);
});
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
