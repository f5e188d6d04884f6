/** Prepares the database for this version when a process opens it, as far as the process's role may. */
import { setTimeout } from 'node:timers/promises';
import type { Database, Queryable } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { named } from '../database/observed.ts';
import { sealStored } from '../database/sealed-columns.ts';
import { foldName } from '../values/words.ts';
import { raiseVersion } from './figures.ts';
import { mpnWords } from './product-fields.ts';
import { addToWordList, LONGEST_SORT_NAME, refreshPopular, searchVector } from './search-words.ts';
import { soleValue } from './sole-value.ts';
import { WriterBusy, writeAlone } from './write-lock.ts';

/**
 * Applies missing migrations and returns their names. Also seals what an older version has left plain, in the embedded database: all processes
 * that use a folder are of this version. On a server, gateways of earlier versions could not read it: `pda seal`.
 * @throws {MayNotMigrate} when migrations are missing and this role may not apply them.
 */
export async function migrateAndSeal(database: Database): Promise<string[]> {
  const applied = await migrate(database);
  if (database.dataFolder !== undefined) await sealStored(database);
  return applied;
}

/** As {@link migrateAndSeal}, and folds names that an older version has left. @throws {MayNotMigrate} */
export async function bringUpToDate(database: Database): Promise<string[]> {
  const applied = await migrateAndSeal(database);
  if (await mustFold(database)) await foldNames(database);
  return applied;
}

/** Folds the names in the background, while the service runs. After a failure it tries again in a minute. */
export function startFolding(database: Database, onFailure: (error: unknown) => void) {
  const stopping = new AbortController();
  /** Rejects when it is stopped. */
  const pause = (ms: number) => setTimeout(ms, undefined, { signal: stopping.signal, ref: false });
  const fold = async (): Promise<void> => {
    try {
      if (await mustFold(database)) await foldNames(database, pause);
    } catch (error) {
      if (stopping.signal.aborted) return;
      onFailure(error);
      await pause(RETRY_MS).then(fold, () => {});
    }
  };
  // The start of a gateway takes all of its processor and connections for some seconds.
  pause(PAUSE_MS).then(fold, () => {});
  return {
    /** Stops after the present batch. It is one transaction, so nobody has to wait for it. */
    stop: () => stopping.abort(),
  };
}

const MAY_FOLD = "SELECT has_table_privilege('unfolded_name', 'DELETE') AS may";
const MUST_FOLD = 'SELECT EXISTS (SELECT FROM unfolded_name) AS must';

async function mustFold(home: Database): Promise<boolean> {
  const database = named(home, 'unfolded_names');
  return (await soleValue<boolean>(database, MAY_FOLD)) && (await soleValue<boolean>(database, MUST_FOLD));
}

const BATCH = 500;
const PAUSE_MS = 5_000;
const RETRY_MS = 60_000;
// The texts whose words are made. Product names come last, because their words include those of brand and category.
const KINDS = {
  brand: 'name',
  category: 'name',
  merchant: 'name',
  article: "concat_ws(' ', title, summary, body)",
  product: 'name',
};
type Kind = keyof typeof KINDS;

/**
 * Makes the words of all names in `unfolded_name`, in batches.
 * @param pause waits between batches for as long as the last one took, in milliseconds, and instead of waiting for a running import.
 */
export async function foldNames(database: Database, pause?: (ms: number) => Promise<unknown>): Promise<void> {
  for (const kind of Object.keys(KINDS) as Kind[]) {
    for (let goesOn = true; goesOn; ) {
      const startedAt = performance.now();
      try {
        goesOn = await writeAlone(
          database,
          false,
          (transaction) => foldBatch(named(transaction, 'unfolded_names'), kind),
          !pause,
        );
        if (goesOn) await pause?.(performance.now() - startedAt);
      } catch (error) {
        if (!(error instanceof WriterBusy)) throw error;
        await pause?.(PAUSE_MS);
      }
    }
  }
}

/** @returns whether there were names to fold. */
async function foldBatch(transaction: Queryable, kind: Kind): Promise<boolean> {
  const ids = await transaction.query<{ id: bigint }>(TAKE, [kind]);
  if (ids.length === 0) return false;
  const mpn = kind === 'product' ? 'COALESCE(mpn, mpn_key)' : 'NULL';
  const rows = await transaction.query<{ id: bigint; text: string; mpn: string | null }>(
    `SELECT id, ${KINDS[kind]} AS text, ${mpn} AS mpn FROM ${kind} WHERE id = ANY ($1::bigint[]) ORDER BY id`,
    [ids.map(({ id }) => id)],
  );
  const words = rows.map(({ text }) => foldName(text));
  const parameters = [rows.map(({ id }) => id), words];
  const mpns = rows.map((row) => row.mpn && mpnWords(row.mpn));
  if (kind === 'product') await transaction.query(PUT_VECTORS, [...parameters, mpns]);
  // Searches look neither for the words of merchants nor, elsewhere, for those of articles.
  if (kind !== 'merchant' && kind !== 'article')
    await transaction.query(addToWordList('unnest($1::text[]) AS words'), [[...words, ...mpns]]);
  await transaction.query(putWords(kind), parameters);
  await raiseVersion(transaction);
  if (kind === 'product') {
    await transaction.query(PUT_POPULAR, [parameters[0]]);
    await refreshPopular(transaction);
  }
  return true;
}

// By the primary key.
const TAKE = `
  DELETE FROM unfolded_name
  WHERE kind = $1 AND id IN (SELECT id FROM unfolded_name WHERE kind = $1 ORDER BY id LIMIT ${BATCH})
  RETURNING id`;

const putWords = (kind: Kind) => `
  UPDATE ${kind}
  SET ${[
    ...(kind === 'article' ? [] : [`sort_name = left(folded.words, ${LONGEST_SORT_NAME})`]),
    ...(kind === 'merchant' || kind === 'product' ? [] : [`search = ${searchVector('folded.words')}`]),
  ].join(', ')}
  FROM unnest($1::bigint[], $2::text[]) AS folded (id, words)
  WHERE ${kind}.id = folded.id
    ${kind === 'product' ? `AND sort_name IS DISTINCT FROM left(folded.words, ${LONGEST_SORT_NAME})` : ''}`;

const PUT_VECTORS = `
  INSERT INTO product_search (product_id, search)
  SELECT product.id,
         ${searchVector('folded.words')} || ${searchVector('folded.mpn')}
         || COALESCE(brand.search, '') || COALESCE(category.search, '')
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS folded (id, words, mpn)
  JOIN product ON product.id = folded.id
  LEFT JOIN brand ON brand.id = product.brand_id
  LEFT JOIN category ON category.id = product.category_id
  ON CONFLICT (product_id) DO UPDATE SET search = excluded.search WHERE product_search.search <> excluded.search`;

const PUT_POPULAR = `
  UPDATE popular_product
  SET search = product_search.search
  FROM product_search
  WHERE product_search.product_id = popular_product.product_id AND popular_product.product_id = ANY ($1::bigint[])`;
