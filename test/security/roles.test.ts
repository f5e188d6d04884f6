/**
 * The database roles: each process works with only the rights for its task, and PostgreSQL itself refuses everything else. Runs
 * on a separate server, because roles belong to a whole server. About fifteen seconds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../src/access/key-admin.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { FUNCTION_GRANTS, roleStatements, TABLE_GRANTS } from '../../src/database/roles.ts';
import { openTestDatabase } from '../harness/database.ts';
import { openEvents } from '../harness/events.ts';
import { eventually } from '../harness/eventually.ts';
import { ask, feedRow, importRows } from '../harness/gateway.ts';
import { type PostgresServer, startPostgresServer } from '../harness/postgres-server.ts';
import { run, type ServerProcess, startServerProcess } from '../harness/process.ts';
import { answerFeed, someRows, startShopServer } from '../harness/shop-server.ts';

const EAN = '4006381333931';

describe('the rights', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  test('name exactly the tables of the schema', async () => {
    const rows = await database.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    expect(Object.keys(TABLE_GRANTS).sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  test('include the sequences for every role that inserts rows', async () => {
    const statements = roleStatements({ server: 'a_server', importer: 'an_importer', keys: 'a_keeper' }).join('\n');
    const rows = await database.query<{ name: string; owner: string }>(
      `SELECT sequence.relname AS name, owner.relname AS owner
       FROM pg_class AS sequence
       JOIN pg_depend ON pg_depend.objid = sequence.oid AND pg_depend.deptype IN ('a', 'i')
       JOIN pg_class AS owner ON owner.oid = pg_depend.refobjid
       WHERE sequence.relkind = 'S'`,
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { name, owner } of rows) {
      const adders = Object.values(TABLE_GRANTS[owner] ?? {}).filter((privileges) => privileges?.includes('INSERT'));
      expect(statements.split(`ON SEQUENCE ${name} TO`)).toHaveLength(adders.length + 1);
    }
  });

  test('name every function that runs as the owner; nobody else may call it, and its search path is fixed', async () => {
    const rows = await database.query<{ name: string; isOpen: boolean; settings: string[] | null }>(
      `SELECT oid::regprocedure::text AS name, proconfig AS settings,
              COALESCE((SELECT bool_or(grantee = 0) FROM aclexplode(proacl)), TRUE) AS "isOpen"
       FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace AND prosecdef`,
    );
    // The two run with the rights of their caller.
    const ofOwner = Object.keys(FUNCTION_GRANTS).filter((name) => !/^(average_lowest|charge_newest)\(/.test(name));
    expect(rows.map(({ name }) => name).sort()).toEqual(ofOwner.sort());
    for (const { isOpen, settings } of rows) {
      expect(isOpen).toBe(false);
      expect(settings).toEqual(['search_path=pg_catalog, public, pg_temp']);
    }
  });

  test('let no role insert, change or delete more than its task requires', () => {
    for (const [table, { server = [], importer = [], keys = [] }] of Object.entries(TABLE_GRANTS)) {
      // What the digest writes can be derived from the ledger again.
      const derived = [
        'aggregated_product',
        'deal',
        'due_product',
        'merchant_distance',
        'merchant_standing',
        'price_index_day',
      ];
      const writesOfServer = [
        'account_session',
        // What operators do in the console is recorded like what they do on the command line.
        'audit_event',
        'click',
        // The server uses links up, and cannot make any.
        'console_link',
        'console_session',
        'merchant_click',
        // The console runs, pauses and confirms feeds.
        'feed',
        'traffic_day',
        'console_form',
        'usage_counter',
        'usage_journal',
        'webhook',
        'webhook_delivery',
        'webhook_position',
        ...derived,
        // It only deletes what is old.
        'change',
      ];
      if (!writesOfServer.includes(table)) expect(server.filter((each) => each !== 'SELECT')).toEqual([]);
      if (!/^(api_key|audit|console)/.test(table)) expect(keys.filter((each) => each !== 'SELECT')).toEqual([]);
      if (/^(api_key|usage|click|merchant_click|webhook)/.test(table)) expect(importer).toEqual([]);
      // A stopped meter's journal is deleted with it, old changes and old deliveries in the background, and webhooks by the clients that own them.
      // Clients end their own sessions.
      const deleted = [
        'account_session',
        'change',
        'console_form',
        'console_link',
        'console_session',
        'traffic_day',
        'usage_journal',
        'webhook',
        'webhook_delivery',
        ...derived,
      ];
      if (!deleted.includes(table)) expect([...server, ...keys]).not.toContain('DELETE');
    }
  });

  test('are refused for unsafe role names', () => {
    for (const name of ['a b', 'a;DROP TABLE offer', "a'", '"a"', 'A', '1a', '', 'a'.repeat(64)]) {
      expect(() => roleStatements({ server: name })).toThrow(TypeError);
    }
  });
});

describe('the roles of `pda roles --apply`', () => {
  let postgres: PostgresServer;
  let owner: Database;
  let key: string;
  const urlOf = (role: string) => postgres.url.replace('postgres@', `${role}@`);
  const pda = (role: string, ...words: string[]) => run('pda', words, { DATABASE_URL: urlOf(role) });

  beforeAll(async () => {
    postgres = await startPostgresServer();
    owner = openPostgres({ url: postgres.url, purpose: 'bulk' });
    await migrate(owner);
    await importRows(owner, 'Shop', [feedRow({ id: 'a', gtin: EAN, brand: 'Stabilo' })]);
    ({ key } = await createKey(owner, { name: 'client', plan: 'enterprise' }));
    // Twice, because applying the roles again must be harmless.
    for (const _ of [1, 2]) {
      const { status, stdout, stderr } = await pda('postgres', 'roles', '--apply', '--json');
      expect([status, stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toMatchObject({ roles: { server: 'pda_server' }, isApplied: true });
    }
  });
  afterAll(async () => {
    await owner.close();
    await postgres.remove();
  });

  /** The result of a statement under a role: its SQLSTATE, or `done`. */
  async function sayTo(role: string, statement: string): Promise<string> {
    const database = openPostgres({ url: urlOf(role), poolSize: 1 });
    try {
      await database.script(statement);
      return 'done';
    } catch (error) {
      return String((error as { code?: string }).code);
    } finally {
      await database.close();
    }
  }
  const REFUSED = '42501';

  describe('the server', () => {
    let server: ServerProcess;
    beforeAll(async () => {
      server = await startServerProcess({ DATABASE_URL: urlOf('pda_server'), CONSOLE: 'on' });
    });
    afterAll(() => server.kill());
    const get = (path: string) => ask(server.address + path, { key });

    test('answers every route of the catalogue under its role', async () => {
      const { body } = await get(`/api/v1/lookup?ean=${EAN}`);
      const { offers } = body.data;
      const { body: list } = await get('/api/v1/products?q=thing&brand=stabilo&sort=discount');
      const [{ slug }] = list.data;
      for (const path of [
        '/readyz',
        '/api/v1/products',
        `/api/v1/products/${slug}`,
        `/api/v1/products/${slug}/offers`,
        `/api/v1/products/${slug}/price-history`,
        `/api/v1/products/${slug}/price-stats`,
        '/api/v1/categories',
        '/api/v1/brands',
        '/api/v1/merchants',
        '/api/v1/articles',
        '/api/v1/search?q=thng',
        `/products/${slug}`,
      ]) {
        expect([path, (await get(path)).status]).toEqual([path, 200]);
      }
      expect((await get(offers[0].url)).status).toBe(302);
      const clicks = () => owner.query<{ count: number }>('SELECT count FROM click');
      expect(await eventually(clicks, (rows) => rows.length > 0)).toEqual([{ count: 1 }]);
    });

    test('opens the console for a link that the role of keys makes, and shows its pages', async () => {
      const { status, stdout } = await pda('pda_keys', 'console', '--json');
      expect(status).toBe(0);
      const { searchParams } = new URL(JSON.parse(stdout).url);
      const opened = await fetch(`${server.address}/console/sign-in`, {
        method: 'POST',
        body: searchParams,
        redirect: 'manual',
      });
      expect(opened.status).toBe(303);
      const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
      for (const path of [
        '/console',
        '/console/keys',
        '/console/feeds',
        '/console/shops',
        '/console/products',
        '/console/audit',
      ]) {
        const page = await fetch(server.address + path, { headers: { cookie } });
        expect([path, page.status]).toEqual([path, 200]);
      }
      // The server uses links up, and cannot make any.
      expect((await pda('pda_server', 'console')).status).toBe(5);
      expect((await pda('pda_keys', 'console', '--sign-out')).status).toBe(0);
      expect((await fetch(`${server.address}/console`, { headers: { cookie } })).status).toBe(401);
    });

    test('counts requests, and serves GraphQL and its subscriptions', async () => {
      const graphql = { query: `{ lookup(ean: "${EAN}") { product { id } } viewer { used remaining } }` };
      const headers = { 'content-type': 'application/json' };
      const used = async () => (await owner.query<{ used: bigint }>('SELECT used FROM usage_counter'))[0]?.used ?? 0n;
      const before = await used();
      const answer = await ask(`${server.address}/graphql`, {
        key,
        headers,
        method: 'POST',
        body: JSON.stringify(graphql),
      });
      expect(answer.body.errors).toBeUndefined();
      expect(await used()).toBe(before + 2n);

      const stream = await openEvents(server.address, {
        query: 'subscription ($ids: [ID!]!) { priceChanged(productIds: $ids) { min } }',
        variables: { ids: [answer.body.data.lookup.product.id] },
        headers: { 'x-api-key': key },
      });
      onTestFinished(() => stream.leave());
      await importRows(owner, 'Shop', [feedRow({ id: 'a', gtin: EAN, brand: 'Stabilo', price: '9.00 EUR' })]);
      expect((await stream.next()).data.data.priceChanged).toEqual({ min: 9 });
    });

    test('counts requests beside a long transaction, which the role that manages keys cannot', async () => {
      const charge = "SELECT charge_newest('2026-01', ARRAY[(SELECT min(id) FROM api_key)], '{1}', '{10}', true, 1)";
      expect(await sayTo('pda_server', charge)).toBe('done');
      expect(await sayTo('pda_keys', charge)).toBe(REFUSED);
    });

    test('shows usage, and rotates a key with its entry in the audit log, although it may write no secrets', async () => {
      expect((await get('/api/v1/usage')).status).toBe(200);
      const { status, body } = await ask(`${server.address}/api/v1/key/rotate`, { key, method: 'POST' });
      expect([status, body.data.key]).toEqual([200, expect.stringMatching(/^pda_/)]);
      for (const each of ['rotate_key', 'rotate_own_key'])
        expect(await sayTo('pda_importer', `SELECT ${each}(1, '', '', 0, '', 1, 1)`)).toBe(REFUSED);
      const again = await ask(`${server.address}/api/v1/key/rotate`, { key, method: 'POST' });
      expect([again.status, again.body.code]).toEqual([403, 'former_key_refused']);
    });

    test('pulls scheduled feeds under the role of imports', async () => {
      const shop = await startShopServer();
      const gateway = await startServerProcess({
        DATABASE_URL: urlOf('pda_server'),
        FEEDS_DATABASE_URL: urlOf('pda_importer'),
      });
      try {
        shop.serve('/feed', answerFeed(someRows(2)));
        const words = ['feeds', 'add', shop.url('/feed'), '--merchant', 'Pulled', '--every', '1h', '--allow-private'];
        const added = await pda('pda_importer', ...words, '--json');
        expect([added.status, added.stderr]).toEqual([0, '']);
        const { id } = JSON.parse(added.stdout);
        const pulled = await pda('pda_importer', 'feeds', 'run', id, '--wait', '--json');
        expect([pulled.status, pulled.stderr]).toEqual([0, '']);
        expect(['imported', 'unchanged']).toContain(JSON.parse(pulled.stdout).outcome);
        expect(JSON.parse((await pda('pda_importer', 'feeds', 'remove', id, '--json')).stdout)).toMatchObject({ id });
      } finally {
        await gateway.kill();
        await shop.stop();
      }
    });

    test('refreshes figures in steps, although it may not write products', async () => {
      expect(await sayTo('pda_server', 'SELECT refresh_aged_figures(200)')).toBe('done');
      expect(await sayTo('pda_server', 'SELECT * FROM upkeep')).toBe(REFUSED);
      expect(await sayTo('pda_keys', 'SELECT refresh_aged_figures(200)')).toBe(REFUSED);
    });

    test.each([
      "INSERT INTO api_key (name, plan) VALUES ('x', 'enterprise')",
      "UPDATE api_key SET plan = 'enterprise'",
      "INSERT INTO api_key_secret (key_id, digest, prefix) VALUES (1, repeat('0', 64), 'pda_0000')",
      "UPDATE product SET name = 'x'",
      'UPDATE offer SET price = 1, total = 1',
      'UPDATE catalogue_version SET version = 0',
      'DELETE FROM usage_counter',
      'DELETE FROM click',
      'UPDATE change SET seq = 0',
      'TRUNCATE usage_counter',
      'UPDATE audit_event SET actor = actor',
      'DELETE FROM audit_event',
      "INSERT INTO console_link (digest, created_by, expires_at) VALUES ('x', 'x', now())",
      'INSERT INTO import_run (merchant_id) VALUES (1)',
      "INSERT INTO feed (merchant, url, host, every_seconds, report_token) VALUES ('x', 'x', 'x', 60, repeat('x', 32))",
      'DELETE FROM feed',
      "UPDATE feed SET url = 'https://other.example/'",
      'DELETE FROM feed_run',
      'CREATE TABLE x ()',
      'CREATE TEMPORARY TABLE x ()',
      'CREATE SCHEMA x',
      'CREATE FUNCTION x() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      'CREATE ROLE x',
      'ALTER TABLE product ADD COLUMN x int',
      'DROP TABLE click',
      'SELECT analyse_catalogue()',
      'SELECT clean_search_index()',
      "SELECT nextval('api_key_id_seq')",
      'SET ROLE postgres',
      "COPY product TO PROGRAM 'true'",
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', 'x')",
    ])('is refused %s', async (statement) => {
      expect(await sayTo('pda_server', statement)).toBe(REFUSED);
    });

    test('passes the doctor, which names the missing rights of another role', async () => {
      const checks = async (role: string) => JSON.parse((await pda(role, 'doctor', '--json')).stdout).checks;
      expect(await checks('pda_server')).toContainEqual(expect.objectContaining({ name: 'database', status: 'ok' }));
      expect(await checks('pda_keys')).toContainEqual(
        expect.objectContaining({
          name: 'database',
          status: 'problem',
          says: expect.stringContaining('lacks rights on'),
        }),
      );
    });

    test('does not start under the role of another task, and says what to do', async () => {
      const { status, stderr } = await run('main', [], {
        DATABASE_URL: urlOf('pda_keys'),
        PORT: '0',
        NODE_ENV: 'production',
      });
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/lacks rights on .*usage_counter.*`pda roles --apply`/),
      ]);
    });
  });

  describe('an import', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'pda-roles-'));
    });
    afterAll(() => rmSync(folder, { recursive: true }));
    const fileOf = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };

    test('succeeds under its role, dry and real, and updates statistics', async () => {
      const rows = Array.from({ length: 1_200 }, (_, index) => feedRow({ id: `${index}`, brand: 'Acme' }));
      const feed = fileOf('feed.jsonl', rows.map((each) => JSON.stringify(each)).join('\n'));
      const words = ['import', feed, '--merchant', 'Large', '--rejects', join(folder, 'rejects'), '--json'];
      const analysed = async () =>
        (
          await owner.query<{ at: Date | null }>(
            "SELECT last_analyze AS at FROM pg_stat_user_tables WHERE relname = 'offer'",
          )
        )[0]?.at;
      const before = await analysed();
      for (const dry of [['--dry-run'], []]) {
        const { status, stdout, stderr } = await pda('pda_importer', ...words, ...dry);
        expect([status, stderr]).toEqual([0, '']);
        expect(JSON.parse(stdout)).toMatchObject({ read: 1_200, new: 1_200, rejected: 0 });
      }
      expect(await eventually(analysed, (at) => at?.getTime() !== before?.getTime())).not.toEqual(before);
      const again = await pda('pda_importer', ...words.slice(0, 4), '--delta', ...words.slice(4));
      expect(JSON.parse(again.stdout)).toMatchObject({ same: 1_200 });
      const left = "SELECT count(*)::int AS count FROM pg_class WHERE relname LIKE 'import_rows_%'";
      expect(await owner.query(left)).toEqual([{ count: 0 }]);
    });

    test('can import the taxonomy and articles as well', async () => {
      const taxonomy = fileOf('taxonomy.txt', '1 - Animals\n2 - Animals > Birds\n');
      expect((await pda('pda_importer', 'taxonomy', taxonomy, '--json')).stdout).toContain('"new":2');
      fileOf(
        'guide.md',
        '---\ntitle: A guide\nsummary: Short.\ncategory: animals\npublished: 2026-01-01\n---\nText.\n',
      );
      expect((await pda('pda_importer', 'articles', folder, '--json')).stdout).toContain('"new":1');
    });

    test.each([
      'SELECT * FROM api_key_secret',
      "UPDATE api_key SET plan = 'enterprise'",
      'UPDATE usage_counter SET used = 0',
      'DELETE FROM offer',
      'DELETE FROM product',
      'DELETE FROM import_run',
      'CREATE TABLE public.x ()',
      'ALTER TABLE product ADD COLUMN x int',
      'DROP TABLE offer',
      'CREATE SCHEMA x',
      'CREATE ROLE x',
    ])('is refused %s', async (statement) => {
      expect(await sayTo('pda_importer', statement)).toBe(REFUSED);
    });

    test('cannot create a key, and the message names the missing right', async () => {
      const { status, stderr } = await pda('pda_importer', 'keys', 'create', '--name', 'x', '--plan', 'free');
      expect(status).toBe(5);
      expect(stderr).toMatch(
        /^The database role lacks the rights for this: permission denied for table (api_key\w*|audit_event)\. .*\n$/,
      );
    });
  });

  describe('the administration of keys', () => {
    test('creates, moves, rotates, revokes and lists keys under its role', async () => {
      const made = await pda('pda_keys', 'keys', 'create', '--name', 'x', '--plan', 'free', '--json');
      const { id } = JSON.parse(made.stdout);
      for (const words of [
        ['keys', 'set-plan', id, 'pro'],
        ['keys', 'rotate', id],
        ['keys', 'revoke', id],
        ['keys', 'list'],
        ['usage'],
      ]) {
        expect([words, (await pda('pda_keys', ...words)).status]).toEqual([words, 0]);
      }
    });

    test.each([
      'SELECT * FROM product',
      'UPDATE usage_counter SET used = 0',
      'DELETE FROM api_key',
      'CREATE TABLE x ()',
      'DROP TABLE api_key',
    ])('is refused %s', async (statement) => {
      expect(await sayTo('pda_keys', statement)).toBe(REFUSED);
    });
  });

  test('applying the roles again revokes additional rights', async () => {
    await owner.script(
      'GRANT ALL ON ALL TABLES IN SCHEMA public TO pda_server; GRANT CREATE ON SCHEMA public TO pda_server',
    );
    expect((await pda('postgres', 'roles', '--apply')).status).toBe(0);
    expect(await sayTo('pda_server', "UPDATE product SET name = 'x'")).toBe(REFUSED);
    expect(await sayTo('pda_server', 'CREATE TABLE x ()')).toBe(REFUSED);
  });

  test('the printed script works in psql, and the owner is refused as a role', async () => {
    const { stdout } = await pda(
      'postgres',
      'roles',
      '--server',
      'other_server',
      '--importer',
      'other_importer',
      '--keys',
      'other_keys',
    );
    await owner.script(stdout);
    expect(await sayTo('other_server', 'SELECT * FROM product')).toBe('done');
    const { status, stderr } = await pda('postgres', 'roles', '--server', 'postgres', '--apply');
    expect([status, stderr]).toEqual([1, expect.stringContaining('it is the owner: choose another role')]);
  });

  // Runs last, because it removes a migration.
  test('only the owner applies missing migrations; the other roles say what to do', async () => {
    const [row] = await owner.query<{ name: string }>(
      `DELETE FROM _prisma_migrations
       WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)
       RETURNING migration_name AS name`,
    );
    const sentence = `The database lacks ${row?.name}, and the role ROLE may not migrate it: run \`pda migrate\` and then \`pda roles --apply\` with the DATABASE_URL of its owner.\n`;
    const server = await run('main', [], {
      DATABASE_URL: urlOf('pda_server'),
      PORT: '0',
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
    });
    expect([server.status, server.stderr]).toEqual([2, sentence.replace('ROLE', 'pda_server')]);
    // The importer may create tables in its own schema, but must not create a second catalogue there.
    const importer = await pda('pda_importer', 'taxonomy', 'none.txt');
    expect([importer.status, importer.stderr]).toEqual([2, sentence.replace('ROLE', 'pda_importer')]);
    expect(await owner.query("SELECT tablename FROM pg_tables WHERE schemaname = 'pda_importer'")).toEqual([]);
  });
});
