/** Loads Prisma Client on demand: it takes a tenth of a second, which most commands need not spend. */
import type { PrismaClient } from '../generated/prisma/client.ts';
import { remembered } from '../remember.ts';
import type { Database } from './database.ts';

const clients = new WeakMap<Database, Promise<PrismaClient>>();

/** The client of a database, created on first use. */
export function prismaOf(database: Database): Promise<PrismaClient> {
  return remembered(clients, database, async () => (await import('./prisma.ts')).openPrisma(database));
}
