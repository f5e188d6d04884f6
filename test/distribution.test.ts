/**
 * Every hot statement contains the distribution key of its tables, so that a sharded PostgreSQL such as Citus could send it to one
 * shard. The plan is stated here and in docs/scaling.md. The tests read the statements that the gateway sends; docs/scaling.md
 * discusses whether a planner supports their form.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../src/access/key-admin.ts';
import { readConfig } from '../src/config.ts';
import type { Database } from '../src/database/database.ts';
import { type Gateway, startGateway } from '../src/gateway.ts';
import { importTaxonomyText, TAXONOMY } from './harness/catalogue.ts';
import { openTestDatabase } from './harness/database.ts';
import { openEvents } from './harness/events.ts';
import { eventually } from './harness/eventually.ts';
import { ask, feedRow, importRows } from './harness/gateway.ts';

/** Tables that would be distributed over shards, by this column. Tables distributed by a product's id share its shard. */
const DISTRIBUTED: Readonly<Record<string, string>> = {
  product: 'id',
  product_identifier: 'product_id',
  product_search: 'product_id',
  popular_product: 'product_id',
  product_field: 'product_id',
  offer: 'product_id',
  ledger: 'product_id',
  change: 'product_id',
  due_product: 'product_id',
  deal: 'product_id',
  aggregated_product: 'product_id',
  price_index_day: 'id',
  merchant_standing: 'id',
  merchant_distance: 'id',
  usage_counter: 'key_id',
  usage_journal: 'meter_id',
  click: 'offer_id',
  merchant_click: 'merchant_id',
  offer_seen: 'offer_id',
  webhook_delivery: 'webhook_id',
};

/** Tables that each shard would have in full: small, or read far more often than written. */
const REFERENCE = [
  'account_session',
  'api_key',
  'api_key_secret',
  'article',
  'audit_event',
  'brand',
  'catalogue_version',
  'category',
  'console_form',
  'console_link',
  'console_session',
  'demo_key',
  'deployment',
  'feed',
  'feed_run',
  'identifier_detachment',
  'identifier_dispute',
  'import_failure',
  'import_run',
  'invalidation',
  'merchant',
  'search_synonym',
  'search_word',
  'traffic_day',
  'upkeep',
  'webhook',
  'webhook_position',
];

/** Unique constraints without the distribution column, which would have to change. */
const CONSTRAINTS_TO_CHANGE = [
  'change_pkey',
  'offer_merchant_id_sku_key',
  'offer_pkey',
  'product_identifier_kind_value_key',
  'product_identifier_pkey',
  'product_slug_key',
  'webhook_delivery_message_id_key',
  'webhook_delivery_pkey',
];

/** Reads of one product by a column other than its number, which would need a separate table that points to it. */
const LOOKUPS_BY_ANOTHER_KEY = [
  'product_identifier by kind, value',
  'product by slug',
  'offer by id',
  'offer by item_group_id',
];

interface Use {
  table: string;
  /** Whether the statement selects this table's rows by the distribution column. */
  hasKey: boolean;
  /** The table and what it is read by instead. */
  instead: string;
}

/** A place in a statement at which a distributed table is used. */
interface Place extends Use {
  alias: string;
  key: string;
  /** Whether the statement compares the key with a parameter, or with rows made from one. */
  isAnchored: boolean;
  /** The places whose keys it is compared with. */
  joined: string[];
  isReadByAnother: boolean;
}

/** The distributed tables that a statement uses, each place by itself. */
function usesIn(sql: string): Use[] {
  const text = sql.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ');
  const found = [...text.matchAll(/\b(FROM|JOIN|UPDATE|INSERT INTO) ([a-z_]+)(?: AS ([a-z_]+))?/g)];
  const keys = new Map(found.map(([, , table = '', alias = table]) => [alias, DISTRIBUTED[table]]));
  const places = found.flatMap(([verb, , table = '', alias = table], index): Place[] => {
    const key = DISTRIBUTED[table];
    if (key === undefined) return [];
    const start = (found[index]?.index ?? 0) + verb.length;
    // Conditions on a table follow it: those of a later place with the same name do not count.
    const sameLater = found.slice(index + 1).find(([, , other, otherAlias = other]) => otherAlias === alias);
    const scope = text.slice(start, sameLater?.index);
    if (verb.startsWith('INSERT')) {
      const columns = /^ \(([^)]*)\)/.exec(scope)?.[1] ?? '';
      const conflict = /ON CONFLICT \(([^)]*)\)/.exec(scope)?.[1] ?? key;
      const isAnchored = [columns, conflict].every((list) => list.split(/, ?/).includes(key));
      return [
        { table, alias, key, isAnchored, joined: [], isReadByAnother: false, hasKey: false, instead: 'inserted' },
      ];
    }
    const comparedWith = (column: string) => {
      const own = alias === table ? `(?<![a-z_.])(?:${alias}\\.)?${column}` : `(?<![a-z_.])${alias}\\.${column}`;
      const other = '(ANY \\(\\$|\\$|[a-z_]+\\.[a-z_]+)';
      return [...scope.matchAll(new RegExp(`${own} = ${other}|${other} = ${own}(?![a-z_.])`, 'g'))].map(
        ([, after, before]) => after ?? before ?? '',
      );
    };
    const places = comparedWith(key).map((with_) => with_.split('.'));
    const others = ['kind', 'value', 'slug', 'id', 'item_group_id'].filter(
      (column) => column !== key && comparedWith(column).length > 0,
    );
    return [
      {
        table,
        alias,
        key,
        isAnchored: places.some(([of = '']) => keys.get(of) === undefined),
        joined: places.flatMap(([of = '', column]) => (column !== undefined && keys.get(of) === column ? [of] : [])),
        isReadByAnother: others.length > 0,
        hasKey: false,
        instead: `by ${others.join(', ')}`,
      },
    ];
  });
  const spread = () => {
    for (
      let before = -1, now = 0;
      before !== now;
      before = now, now = places.filter(({ isAnchored }) => isAnchored).length
    ) {
      const anchored = places.filter(({ isAnchored }) => isAnchored);
      for (const place of places) {
        place.isAnchored ||= anchored.some(
          ({ alias, joined }) => place.joined.includes(alias) || joined.includes(place.alias),
        );
      }
    }
  };
  spread();
  for (const place of places) place.hasKey = place.isAnchored;
  // Tables joined to a lookup get their key from it.
  for (const place of places) place.isAnchored ||= place.isReadByAnother;
  spread();
  return places.map(({ table, hasKey, isAnchored, isReadByAnother, instead }) => ({
    table,
    hasKey: hasKey || (isAnchored && !isReadByAnother),
    instead: `${table} ${instead}`,
  }));
}

let database: Database;
let gateway: Gateway;
let key: string;
let sent: string[] = [];

const EAN = '4006381333931';

beforeAll(async () => {
  database = await openTestDatabase();
  await importTaxonomyText(database, TAXONOMY);
  const row = feedRow({ id: 'a', gtin: EAN, brand: 'Acme', google_product_category: '223' });
  await importRows(database, 'Shop', [row], { observedAt: new Date(Date.now() - 86_400_000) });
  await importRows(database, 'Shop', [{ ...row, price: '9 EUR' }]);
  ({ key } = await createKey(database, { name: 'x', plan: 'pro', rateLimit: 1_000 }));
  const capturing: Database = {
    ...database,
    query(sql, parameters, options) {
      // The queues of the digest and of webhooks are read in the background, not by routes.
      if (!/^(digest|webhook)_/.test(options?.name ?? '')) sent.push(sql);
      return database.query(sql, parameters, options);
    },
  };
  gateway = await startGateway(readConfig({ PORT: '0', LOG_LEVEL: 'silent', ANSWER_CACHE_MB: '0' }), capturing);
});
afterAll(() => gateway.stop());

/** The statements that the gateway sends while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  sent = [];
  await work();
  // Old changes are deleted in the background.
  return [...new Set(sent)].filter((sql) => !sql.includes('DELETE FROM change'));
}

const get = async (path: string, status = 200) => {
  const answer = await ask(gateway.address + path, { key });
  expect(answer.status).toBe(status);
  return answer;
};
const idOf = async () => (await get('/api/v1/products')).body.data[0].id as string;

/** The uses without the key, which must be lookups that the plan names. */
const withoutKey = (statements: readonly string[]) =>
  statements
    .flatMap(usesIn)
    .filter(({ hasKey }) => !hasKey)
    .map(({ instead }) => instead);
const tablesIn = (statements: readonly string[]) => new Set(statements.flatMap(usesIn).map(({ table }) => table));

describe('each hot route sends statements with the distribution key:', () => {
  test('the lookup, with the check of its key and its count', async () => {
    const statements = await statementsOf(() => get(`/api/v1/lookup?ean=${EAN}`));
    expect(tablesIn(statements)).toEqual(
      new Set(['product_identifier', 'product', 'offer', 'usage_counter', 'usage_journal']),
    );
    expect(statements.some((sql) => sql.includes('api_key_secret'))).toBe(true);
    expect(withoutKey(statements)).toEqual(['product_identifier by kind, value']);
  });

  test('offers and price history, by the id of the product', async () => {
    const id = await idOf();
    // An offer keeps its number, and its history at the old product, when it moves to another product: a shop's part of a
    // history is found only by the number.
    for (const [path, tables, lookups] of [
      [`/api/v1/products/${id}/offers`, ['offer', 'product', 'usage_counter'], []],
      [`/api/v1/products/${id}/price-history`, ['ledger', 'product', 'usage_counter'], ['offer by id']],
      [`/api/v1/products/${id}/price-stats`, ['ledger', 'product', 'usage_counter'], ['offer by id']],
      [`/api/v1/products/${id}/price-history?merchant=shop`, ['offer', 'ledger', 'product'], ['offer by id']],
    ] as const) {
      const statements = await statementsOf(() => get(path));
      expect([path, [...tablesIn(statements)]]).toEqual([path, expect.arrayContaining([...tables])]);
      expect([path, [...new Set(withoutKey(statements))]]).toEqual([path, [...lookups]]);
    }
  });

  test('product detail, by its slug, which leads to its id first, and its variants by their group', async () => {
    const statements = await statementsOf(() => get('/api/v1/products/thing-a'));
    expect([...tablesIn(statements)]).toEqual(
      expect.arrayContaining(['offer', 'product', 'product_identifier', 'usage_counter']),
    );
    expect(withoutKey(statements)).toEqual(['product by slug', 'offer by item_group_id']);
  });

  test('a redirect and its click, by the offer of the link', async () => {
    const { body } = await get(`/api/v1/lookup?ean=${EAN}`);
    const statements = await statementsOf(async () => {
      await get(body.data.offers[0].url, 302);
      await eventually(async () => sent.some((sql) => sql.includes('INTO click')), Boolean);
    });
    expect(tablesIn(statements)).toEqual(new Set(['offer', 'click', 'merchant_click']));
    expect(withoutKey(statements)).toEqual(['offer by id']);
  });

  test('charging, reading and refunding counts', async () => {
    const { services } = gateway;
    const statements = await statementsOf(async () => {
      await services.access.meter.charge(1n, 10, 1);
      await services.access.meter.used(99n);
      services.access.meter.refund(1n, new Date().toISOString().slice(0, 10), 1);
      await services.access.meter.drain();
    });
    // The statements that count also write the journal, and its row is deleted with its meter. Upkeep may send others at the same time.
    const counting = statements.filter((sql) => sql.includes('usage_'));
    expect(counting.map((sql) => sql.trim().split(' ')[0])).toEqual(['WITH', 'SELECT', 'WITH', 'DELETE']);
    expect(tablesIn(counting)).toEqual(new Set(['usage_counter', 'usage_journal']));
    expect(withoutKey(counting)).toEqual([]);
  });

  test('live prices', async () => {
    const stream = await openEvents(gateway.address, {
      query: 'subscription { priceChanged(productIds: ["thing-a"]) { min product { name offers { totalPrice } } } }',
      headers: { 'x-api-key': key },
    });
    const statements = await statementsOf(async () => {
      await importRows(database, 'Shop', [feedRow({ id: 'a', gtin: EAN, price: '8 EUR' })], { mode: 'delta' });
      await stream.next();
    });
    await stream.leave();
    expect(tablesIn(statements)).toEqual(new Set(['change', 'product', 'offer']));
    expect(withoutKey(statements)).toEqual([]);
  });
});

describe('the plan', () => {
  test('has every table, once', async () => {
    const rows = await database.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_prisma%' ORDER BY 1",
    );
    const tables = rows.map(({ name }) => name).filter((name) => !name.startsWith('staging'));
    expect([...Object.keys(DISTRIBUTED), ...REFERENCE].sort()).toEqual(tables);
  });

  test('names every unique constraint without the distribution column', async () => {
    const rows = await database.query<{ name: string; table: string; columns: string[] }>(`
      SELECT index.relname AS name, "table".relname AS table,
             array_agg(column_.attname::text) AS columns
      FROM pg_index
      JOIN pg_class AS index ON index.oid = indexrelid
      JOIN pg_class AS "table" ON "table".oid = indrelid
      JOIN pg_attribute AS column_ ON column_.attrelid = indrelid AND column_.attnum = ANY (indkey)
      WHERE indisunique AND "table".relnamespace = 'public'::regnamespace
      GROUP BY 1, 2
      ORDER BY 1`);
    const without = rows.filter(
      ({ table, columns }) => table in DISTRIBUTED && !columns.includes(DISTRIBUTED[table] ?? ''),
    );
    expect(without.map(({ name }) => name)).toEqual(CONSTRAINTS_TO_CHANGE);
  });

  test('matches docs/scaling.md', () => {
    const text = readFileSync(new URL('../docs/scaling.md', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/^\| (`[^|]+`) \| ([^|]+) \|/gm)];
    const stated = new Map(
      rows.flatMap(([, names = '', by = '']) => names.split(', ').map((name) => [name.replaceAll('`', ''), by.trim()])),
    );
    for (const [table, column] of Object.entries(DISTRIBUTED))
      expect([table, stated.get(table)]).toEqual([table, `\`${column}\``]);
    for (const table of REFERENCE) expect([table, stated.get(table)]).toEqual([table, 'reference']);
    for (const name of CONSTRAINTS_TO_CHANGE) expect(text).toContain(`\`${name}\``);
    for (const lookup of LOOKUPS_BY_ANOTHER_KEY)
      expect(text).toContain(`${lookup.replace(/^(\w+) by (.*)$/, '`$1` by `$2`')}`);
  });
});

describe('the reader of statements', () => {
  test.each([
    ['SELECT 1 FROM offer WHERE withdrawn_at IS NULL', ['offer by ']],
    ['SELECT 1 FROM offer WHERE offer.id = $1', ['offer by id']],
    ['SELECT 1 FROM offer WHERE product_id = ANY ($1::bigint[])', []],
    ['SELECT 1 FROM product JOIN offer ON offer.product_id = product.id', ['product by ', 'offer by ']],
    ['SELECT 1 FROM product JOIN offer ON offer.product_id = product.id WHERE product.id = $1', []],
    ['SELECT 1 FROM product JOIN offer ON offer.product_id = product.id WHERE product.slug = $1', ['product by slug']],
    ['SELECT 1 FROM unnest($1::bigint[]) AS asked (id) JOIN offer ON offer.product_id = asked.id', []],
    ['SELECT 1 FROM product JOIN offer ON offer.id = 3 WHERE product.id = $1', ['offer by ']],
    ['UPDATE usage_counter SET used = 1 WHERE month = $1', ['usage_counter by ']],
    ['INSERT INTO click (day, count) SELECT 1', ['click inserted']],
    ['INSERT INTO click (offer_id, day) SELECT 1 ON CONFLICT (day) DO NOTHING', ['click inserted']],
    ['SELECT 1 FROM brand', []],
  ])('finds the uses without the key in %s', (sql, lacking) => {
    expect(withoutKey([sql])).toEqual(lacking);
  });
});
