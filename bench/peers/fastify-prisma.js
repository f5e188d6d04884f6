// Fastify and Prisma Client the way Prisma's documentation teaches: one findUnique with what belongs to it included.
import { PrismaPg } from '@prisma/adapter-pg';
import Fastify from 'fastify';
import { PrismaClient } from '../../src/generated/prisma/client.ts';
import { answerOf, gtinOf } from './answer.js';

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }) });
const app = Fastify();
app.get('/api/v1/lookup', async (request, reply) => {
  const { ean } = request.query;
  const found = await prisma.productIdentifier.findUnique({
    where: { kind_value: { kind: 'gtin', value: gtinOf(ean) } },
    include: {
      product: {
        include: {
          brand: true,
          identifiers: { where: { kind: 'asin' }, orderBy: { id: 'asc' }, take: 1 },
          offers: {
            where: { withdrawnAt: null },
            orderBy: [{ total: 'asc' }, { merchant: { name: 'asc' } }],
            include: { merchant: true },
          },
        },
      },
    },
  });
  if (!found) return reply.code(404).send({ status: 404 });
  const { product } = found;
  const row = {
    ...product,
    brand: product.brand?.name,
    asin: product.identifiers[0]?.value,
    min_total: product.minTotal,
    max_total: product.maxTotal,
    lowest_ever: product.lowestEver,
    offer_count: product.offerCount,
  };
  const offers = product.offers.map((offer) => ({ ...offer, merchant: offer.merchant.name }));
  return answerOf(ean, row, offers, process.env.PUBLIC_URL);
});
console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
