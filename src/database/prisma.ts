/** Prisma Client on a {@link Database}: the usual way to read and write data. */
import { PrismaClient } from '../generated/prisma/client.ts';
import type { Database } from './database.ts';

// A command waits behind an import, like every command; a database that is away ends the wait sooner. The time limit equals the door's
// for idle transactions.
const TRANSACTION = { maxWait: 3_600_000, timeout: 30_000 };

/** Creates a client that runs its statements and transactions on `database`. It has no connections of its own to close. */
export function openPrisma(database: Database): PrismaClient {
  return new PrismaClient({
    adapter: {
      provider: 'postgres',
      adapterName: 'product-data-api',
      // Loaded with the first statement, since it takes a tenth of a second.
      connect: async () => (await import('./prisma-adapter.ts')).connectPrisma(database),
    },
    transactionOptions: TRANSACTION,
  });
}
