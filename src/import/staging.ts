/** A table for the rows of one import until all are read. Each import drops the tables that killed imports have left. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { named } from '../database/observed.ts';
import { slugOf } from '../values/slug.ts';
import { foldName } from '../values/words.ts';
import type { FeedItem } from './item.ts';
import { measureOfItem } from './item-measure.ts';
import type { MpnClaim } from './mpn-claim.ts';
import { OFFER_COLUMNS } from './offer-columns.ts';
import { indexCategories, type KnownCategories } from './product-category.ts';
import type { CategoryOf, ProductField, StagedValue } from './product-field.ts';
import { PRODUCT_FIELDS } from './product-fields.ts';
import type { RejectReason } from './reject.ts';
import { arrayOf } from './staged-array.ts';

/** A row that was checked, or what is known of a row that was rejected. */
export interface StagedRow {
  /** Counts the rows of the feed: the line cannot tell the rows of a feed of one line apart. */
  position: number;
  line: number;
  sku: string;
  fault?: RejectReason;
  item?: FeedItem;
  /** See row-digest.ts. */
  digest?: string | undefined;
  claim?: MpnClaim | undefined;
}

export type Staging = Awaited<ReturnType<typeof openStaging>>;

const PREFIX = 'import_rows_';
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))';
const TRY_LOCK = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1::text, 0)) AS "isLeft"';

interface Column {
  name: string;
  type: string;
  of(row: StagedRow): StagedValue;
}

const ofItem = (name: string, type: string, of: (item: FeedItem) => StagedValue): Column => ({
  name,
  type,
  of: ({ item }) => item && of(item),
});

const ROW_COLUMNS: readonly Column[] = [
  { name: 'position', type: 'INT', of: (row) => row.position },
  { name: 'line', type: 'INT', of: (row) => row.line },
  { name: 'sku', type: 'TEXT', of: (row) => row.sku },
  { name: 'fault', type: 'TEXT', of: (row) => row.fault },
  { name: 'row_digest', type: 'UUID', of: (row) => row.digest },
  { name: 'brand_mpn', type: 'TEXT', of: (row) => row.claim?.brandMpn },
  { name: 'looks', type: 'TEXT', of: (row) => row.claim?.looks },
  ofItem('title', 'TEXT', (item) => item.title),
  ofItem('slug', 'TEXT', (item) => slugOf(item.title, 'product')),
  ofItem('words', 'TEXT', (item) => foldName(item.title)),
  ofItem('gtin', 'TEXT', (item) => item.gtin),
  ofItem('asin', 'TEXT', (item) => item.asin),
  ofItem('item_group_id', 'TEXT', (item) => item.group),
  ...OFFER_COLUMNS.map(({ name, type, of }) => ofItem(name, type, of)),
];

// Of rows that are known (known-rows.ts), which have no value of the columns above but those that every row has, and the price.
const KNOWN_COLUMNS = [
  { name: 'known_offer', type: 'BIGINT' },
  { name: 'known_product', type: 'BIGINT' },
];

/** Creates the table for a new run, and drops those that killed runs have left. */
export async function openStaging(home: Database, productFields: readonly ProductField[] = PRODUCT_FIELDS) {
  await dropAbandoned(home);
  const database = named(home, 'import_stage');
  const table = `${PREFIX}${randomBytes(8).toString('hex')}`;
  // Read with the first row that needs it: a feed of a few prices takes less time than this.
  let categories: KnownCategories | undefined;
  const categoryOf: CategoryOf = (words) => {
    if (!categories) throw new Error('A field that looks up categories must have `needsCategories`.');
    return categories.find(words);
  };
  const needing = productFields.filter((field) => field.needsCategories).map(({ name }) => name);
  const needsCategories = ({ item }: StagedRow) => needing.some((name) => item?.product[name] !== undefined);
  const columns = [...ROW_COLUMNS, ofItem('measure', 'BIGINT', (item) => measureOfItem(item, categories))];
  for (const { name: field, staged } of productFields) {
    for (const { name, type, of } of staged) {
      const stored = ({ product }: FeedItem) =>
        product[field] === undefined ? undefined : of(product[field], categoryOf);
      columns.push(ofItem(name, type, stored));
    }
  }
  const definitions = [...columns, ...KNOWN_COLUMNS].map(({ name, type }) => `${name} ${type}`);
  const release = await holdLock(home, table);
  const drop = async () => {
    // A table that cannot be dropped now is dropped by the next import. The caller may have an error that says more.
    await database.script(`DROP TABLE IF EXISTS ${table}`).catch(() => {});
    await release();
  };
  await database
    .script(`CREATE UNLOGGED TABLE ${table} (${definitions.join(', ')}) WITH (autovacuum_enabled = false)`)
    .catch(async (error: unknown) => {
      await release();
      throw error;
    });
  const names = columns.map(({ name }) => name);
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const insert = `INSERT INTO ${table} (${names.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`;

  return {
    /** The table's name, safe to use in SQL. */
    table,
    /** The product fields that the table has columns for. */
    productFields,
    async append(rows: readonly StagedRow[]): Promise<void> {
      if (!categories && rows.some(needsCategories)) categories = await indexCategories(database);
      await database.query(
        insert,
        columns.map(({ of }) => arrayOf(rows, of)),
      );
    },
    /** Gathers statistics on the columns that rows are joined by, once all rows are there; leaves out the long texts. */
    analyse: () =>
      database.script(
        `ANALYZE ${table} (position, fault, sku, known_offer, gtin, asin, brand_key, mpn_key, brand_mpn, slug)`,
      ),
    drop,
  };
}

/**
 * Locks a table's name in a transaction of its own, which ends with `release` or with the process. It reads nothing, so it keeps no old
 * versions of rows.
 */
function holdLock(database: Database, table: string): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const holding = database.transaction(
      async (transaction) => {
        await transaction.query(LOCK, [table]);
        await new Promise<void>((end) => {
          resolve(() => {
            end();
            return holding.catch(() => {});
          });
        });
      },
      { isLong: true },
    );
    holding.catch(reject);
  });
}

/** Drops the tables whose lock nobody holds. */
async function dropAbandoned(database: Database): Promise<void> {
  const tables = await database.query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename ~ $1',
    [`^${PREFIX}[0-9a-f_]+$`],
  );
  for (const { name } of tables) {
    await database.transaction(async (transaction) => {
      const [lock] = await transaction.query<{ isLeft: boolean }>(TRY_LOCK, [name]);
      if (lock?.isLeft) await transaction.script(`DROP TABLE IF EXISTS ${name}`);
    });
  }
}
