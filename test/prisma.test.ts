/** Prisma Client on the service's own databases: what contributors may rely on when they read and write with it. */
import { graphql } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { builder, type Context } from '../src/catalogue/builder.ts';
import { openLoaders } from '../src/catalogue/loaders.ts';
import { Offer } from '../src/catalogue/offer/offer.ts';
import { type Database, DatabaseUnavailable, isUnavailable, sqlStateOf } from '../src/database/database.ts';
import { observed, type Statement } from '../src/database/observed.ts';
import { beginTransaction } from '../src/database/open-transaction.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { openPrisma } from '../src/database/prisma.ts';
import type { Replica } from '../src/database/replica.ts';
import { type Home, readFromReplicas } from '../src/database/replicas.ts';
import type { PrismaClient } from '../src/generated/prisma/client.ts';
import { schema } from '../src/graphql/schema.ts';
import { openTestDatabase } from './harness/database.ts';
import { awaitDrops } from './harness/drops.ts';
import { feedRow, importRows } from './harness/gateway.ts';
import { forTest } from './harness/lifetime.ts';

// It adds fields to the schema, which other files must not see. Its harness has a list of dropped databases of its own.
vi.hoisted(() => void vi.resetModules());
afterAll(async () => {
  await awaitDrops();
  vi.resetModules();
});

const EANS = ['4006381333931', '4006381333948', '4006381333955'];

let database: Database;
let prisma: PrismaClient;
let statements: Statement[] = [];

beforeAll(async () => {
  const home = await openTestDatabase();
  database = observed(home, { observe: (statement) => void statements.push(statement) });
  prisma = openPrisma(database);
  const rows = EANS.map((gtin, n) =>
    feedRow({
      id: `i${n}`,
      title: `Gadget ${n}`,
      gtin,
      brand: 'Aurelio',
      color: 'Größe "M"',
      price: `${10 + n}.00 EUR`,
    }),
  );
  for (const shop of ['One', 'Two']) await importRows(database, shop, rows);
});
afterAll(() => database.close());
beforeEach(() => {
  statements = [];
});

// How a contributor would add a relation that no resolver reads yet.
builder.prismaObjectField('Product', 'allOffers', (t) =>
  t.relation('offers', { type: Offer, query: { orderBy: { merchantId: 'asc' } } }),
);
builder.prismaObjectField('Product', 'newestOffer', (t) =>
  t.relation('offers', { type: Offer, query: { orderBy: { id: 'desc' }, take: 1 } }),
);

async function ask(query: string) {
  const contextValue: Partial<Context> = {
    catalogue: database,
    prisma,
    loaders: openLoaders(database),
    market: { currency: 'EUR', country: 'PT', publicUrl: 'http://localhost', productUrlTemplate: undefined },
  };
  const { data, errors } = await graphql({ schema: schema(), source: query, contextValue });
  expect(errors).toBeUndefined();
  return JSON.parse(JSON.stringify(data));
}

describe('a relation that the loaders do not read', () => {
  const totals = (n: number) => [{ totalPrice: 10 + n }, { totalPrice: 10 + n }];

  test('returns its rows for a product that was found by an identifier', async () => {
    const query = `{ lookup(ean: "${EANS[1]}") { product { name allOffers { totalPrice merchantName } newestOffer { totalPrice } } } }`;
    expect((await ask(query)).lookup.product).toEqual({
      name: 'Gadget 1',
      allOffers: [
        { totalPrice: 11, merchantName: 'One' },
        { totalPrice: 11, merchantName: 'Two' },
      ],
      newestOffer: [{ totalPrice: 11 }],
    });
  });

  test('returns its rows for each product of a list', async () => {
    const { products } = await ask('{ products { nodes { name allOffers { totalPrice } } } }');
    expect(products.nodes).toEqual([2, 1, 0].map((n) => ({ name: `Gadget ${n}`, allOffers: totals(n) })));
  });

  test('costs as many statements for all products as for two', async () => {
    const count = async (first: number) => {
      statements = [];
      await ask(`{ products(first: ${first}) { nodes { allOffers { id } newestOffer { id } } } }`);
      return statements.length;
    };
    expect(await count(3)).toBe(await count(2));
  });
});

describe('Prisma Client', () => {
  test('returns values of every type that models and statements use', async () => {
    const product = await prisma.product.findUniqueOrThrow({ where: { slug: 'gadget-0' } });
    expect(product).toMatchObject({ minTotal: 1000n, mpn: null, offerCount: 2, attributes: { color: 'Größe "M"' } });
    expect(Math.abs(product.createdAt.getTime() - Date.now())).toBeLessThan(60_000);
    expect(product.discountedOn?.toISOString()).toMatch(/T00:00:00.000Z$/);
    const [row] = await prisma.$queryRaw<unknown[]>`
      SELECT 1.5::float8 AS float, 2.50::numeric AS numeric, true AS yes, false AS no, NULL AS nothing, '' AS empty,
             '{1,NULL,2}'::int[] AS numbers, '{"a b",c}'::text[] AS texts, timestamptz '2026-01-31 08:00:00+02' AS moment,
             '\\x0102'::bytea AS bytes, '[1]'::jsonb AS json, 'in_stock'::availability AS availability`;
    expect(row).toMatchObject({
      float: 1.5,
      yes: true,
      no: false,
      nothing: null,
      empty: '',
      numbers: [1, null, 2],
      texts: ['a b', 'c'],
      moment: new Date('2026-01-31T06:00:00Z'),
      bytes: Uint8Array.of(1, 2),
      json: [1],
      availability: 'in_stock',
    });
  });

  test('accepts parameters of every type', async () => {
    const [offer] = await prisma.offer.findMany({
      where: {
        availability: { in: ['in_stock', 'preorder'] },
        price: { gte: 1200n },
        updatedAt: { gt: new Date(0) },
        merchant: { slug: 'two' },
        productId: { in: [1n, 2n, 3n] },
      },
    });
    expect(offer).toMatchObject({ sku: 'i2', price: 1200n, availability: 'in_stock' });
    const at = new Date('2026-01-31T08:00:00.123Z');
    const run = { merchantId: 1n, read: 1, added: 0, changed: 0, same: 0, withdrawn: 0, rejected: 0 };
    const { id } = await prisma.importRun.create({ data: { ...run, mode: 'delta', observedAt: at } });
    expect(await prisma.importRun.findUnique({ where: { id } })).toMatchObject({ mode: 'delta', observedAt: at });
    const event = await prisma.auditEvent.create({ data: { action: 'test', actor: 'test', after: { a: [1, 'é'] } } });
    expect(event).toMatchObject({ before: null, after: { a: [1, 'é'] } });
  });

  test('reports its statements to the observer like all others', async () => {
    await prisma.merchant.findMany();
    expect(statements).toMatchObject([{ sql: expect.stringMatching(/^SELECT .*"merchant"/), rows: 2 }]);
  });

  test('reports a duplicate row with its own error code', async () => {
    const again = prisma.merchant.create({ data: { slug: 'one', name: 'Another' } });
    await expect(again).rejects.toMatchObject({ name: 'PrismaClientKnownRequestError', code: 'P2002' });
  });

  test('passes on other database errors with their messages', async () => {
    const error = await prisma.$queryRaw`SELECT 1 FROM nowhere`.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: 'relation "nowhere" does not exist' });
    expect([sqlStateOf(error), isUnavailable(error)]).toEqual(['42P01', false]);
  });

  test('reports that the database is unavailable', async () => {
    const away = openPostgres({ url: 'postgresql://nobody@127.0.0.1:1/nothing' });
    const client = openPrisma(away);
    await expect(client.merchant.findMany()).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(client.$transaction((on) => on.merchant.findMany())).rejects.toBeInstanceOf(DatabaseUnavailable);
    await away.close();
  });

  test('rolls back a transaction that throws, and commits one that does not', async () => {
    const add = (name: string) => ({ data: { slug: name, name } });
    const failing = prisma.$transaction(async (on) => {
      await on.merchant.create(add('lost'));
      expect(await on.merchant.count()).toBe(3);
      throw new Error('Changed my mind.');
    });
    await expect(failing).rejects.toThrow('Changed my mind.');
    await expect(
      prisma.$transaction([prisma.merchant.create(add('lost')), prisma.merchant.create(add('one'))]),
    ).rejects.toThrow();
    expect(await prisma.merchant.count()).toBe(2);
    await prisma.$transaction(async (on) => {
      const { id } = await on.merchant.create(add('third'));
      // Relations of one query are read concurrently.
      await on.merchant.findUnique({ where: { id }, include: { offers: true, importRuns: true } });
    });
    expect(await prisma.merchant.deleteMany({ where: { slug: 'third' } })).toEqual({ count: 1 });
  });

  test('isolates a transaction from other statements until it is committed', async () => {
    const inside = prisma.$transaction(
      async (on) => {
        await on.merchant.create({ data: { slug: 'unseen', name: 'unseen' } });
        const outside = prisma.merchant.count({ where: { slug: 'unseen' } });
        await on.merchant.deleteMany({ where: { slug: 'unseen' } });
        return { outside };
      },
      { isolationLevel: 'Serializable' },
    );
    expect(await (await inside).outside).toBe(0);
  });
});

test('Prisma Client reads times correctly in a session that is not in UTC, as behind some poolers', async () => {
  const own = await forTest(openTestDatabase());
  await own.script("SET timezone = 'Europe/Berlin'");
  await own.query("INSERT INTO api_key (name, plan, created_at) VALUES ('A', 'free', '2026-07-01 10:00:00Z')");
  const key = await openPrisma(own).apiKey.findFirstOrThrow();
  expect(key.createdAt.toISOString()).toBe('2026-07-01T10:00:00.000Z');
});

test('a finished transaction refuses further statements', async () => {
  for (const end of ['commit', 'rollback'] as const) {
    const transaction = await beginTransaction(database);
    await transaction.on.query('SELECT 1');
    await transaction[end]();
    await expect(transaction.on.query('SELECT 1')).rejects.toThrow('The transaction is over.');
  }
});

test('referenced rows that a lagging replica lacks are read from the primary', async () => {
  const lagging = await openTestDatabase();
  const replica: Replica = {
    description: 'a replica without any row',
    inFlight: 0,
    isFresh: () => true,
    look() {},
    read: (run) => run(lagging),
    close: () => lagging.close(),
  };
  const homes: Home[] = [];
  const composed = readFromReplicas(database, [replica], {
    leastVersion: () => 0n,
    onRead: (home) => void homes.push(home),
  });
  const client = openPrisma(composed);
  expect(await client.merchant.count()).toBe(0);
  expect(await client.product.findMany({ where: { id: { in: [1n, 2n] } } })).toHaveLength(2);
  expect(await client.product.findUnique({ where: { id: 3n } })).not.toBeNull();
  await client.merchant.updateMany({ where: { slug: 'two' }, data: { url: 'https://two.example' } });
  expect(homes).toEqual(['replica', 'primary', 'primary', 'primary']);
  expect(await prisma.merchant.count({ where: { url: 'https://two.example' } })).toBe(1);
  await lagging.close();
});

test('Prisma Client recovers after an administrator has ended all sessions', async () => {
  const endOthers = () =>
    database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  for (let n = 0; n < 5; n += 1) {
    // Opens several connections, so that all but one of them are ended.
    await Promise.all(
      [1n, 2n, 3n].map((id) => prisma.product.findUnique({ where: { id }, include: { offers: true } })),
    );
    await endOthers();
    expect(await prisma.merchant.count()).toBe(2);
  }
});
