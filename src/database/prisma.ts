/** Prisma Client on our own databases: the usual way to read and write data. */
import { PrismaClient } from '../generated/prisma/client.ts';
import type { Database } from './database.ts';

// As long as a statement waits for its turn in the embedded database, and as the door lets a transaction be idle.
const TRANSACTION = { maxWait: 15_000, timeout: 30_000 };

/** Makes a client whose statements and transactions are those of `database`. It has no connections to close. */
export function openPrisma(database: Database): PrismaClient {
  return new PrismaClient({
    adapter: {
      provider: 'postgres',
      adapterName: 'product-data-api',
      // Loaded with the first statement: the embedded database does without PostgreSQL's driver until then.
      connect: async () => (await import('./prisma-adapter.ts')).connectPrisma(database),
    },
    transactionOptions: TRANSACTION,
  });
}
