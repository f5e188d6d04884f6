/** Reads the signing secrets of webhooks, which are sealed in the database. */
import type { Database } from '../database/database.ts';
import { placeOf, WEBHOOK_SECRET } from '../database/sealed-columns.ts';
import { vaultOf } from '../database/vault.ts';

/** The secret of a webhook from its stored form. @throws {SecretUnreadable} */
export const openSecret = (database: Database, { id, secret }: { id: bigint; secret: string }): string =>
  vaultOf(database).open(secret, placeOf(WEBHOOK_SECRET, id));
