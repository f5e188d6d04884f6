/** Loads Prisma Client on demand: it takes a tenth of a second, which most commands need not spend. */
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { Database } from './database.ts';

const clients = new WeakMap<Database, Promise<PrismaClient>>();

/** The client of a database, created on first use. */
export function prismaOf(database: Database): Promise<PrismaClient> {
  const known = clients.get(database);
  if (known) return known;
  const client = import('./prisma.ts').then(({ openPrisma }) => openPrisma(database));
  clients.set(database, client);
  client.catch(() => clients.delete(database)); // A failed load is tried again.
  return client;
}
