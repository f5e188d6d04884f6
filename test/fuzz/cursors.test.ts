/** Cursors and pages: a valid cursor leads to its position, any other is refused, and no item is repeated or skipped. */
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageArguments } from '../../src/catalogue/page.ts';
import { type List, readPage } from '../../src/catalogue/read-page.ts';
import type { Database } from '../../src/database/database.ts';
import { Problem } from '../../src/problem.ts';
import { decodeCursor, encodeCursor } from '../../src/values/cursor.ts';
import { openTestDatabase } from '../harness/database.ts';
import { anyText, tries, wellFormed } from '../harness/fuzz.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const place = fc.array(fc.oneof(anyText(), fc.integer(), fc.bigInt().map(String)), { minLength: 1, maxLength: 4 });

describe('a cursor', () => {
  test('decodes to the position that it was made from, whatever the values', () => {
    fc.assert(
      fc.property(anyText(), place, (list, values) => {
        const cursor = encodeCursor(list, values);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(list, cursor)).toEqual(values.map((value) => (value === 0 ? 0 : value)));
      }),
      tries(500),
    );
  });

  test('of another list is refused', () => {
    fc.assert(
      fc.property(anyText(), anyText(), place, (list, other, values) => {
        fc.pre(wellFormed(list) !== wellFormed(other));
        expect(decodeCursor(other, encodeCursor(list, values))).toBeUndefined();
      }),
      tries(300),
    );
  });

  test('with any single character changed, removed, inserted or cut off is refused', () => {
    const damage = fc.constantFrom('change', 'remove', 'insert', 'cut', 'prepend', 'append');
    const character = fc.oneof(fc.constantFrom(...ALPHABET), fc.constantFrom(...'=+/. !\n%~é\0'));
    fc.assert(
      fc.property(anyText(), place, damage, fc.nat(), character, (list, values, kind, pick, put) => {
        const cursor = encodeCursor(list, values);
        const at = pick % cursor.length;
        const [head, rest] = [cursor.slice(0, at), cursor.slice(at)];
        const damaged = {
          change: head + put + rest.slice(1),
          remove: head + rest.slice(1),
          insert: head + put + rest,
          cut: head,
          prepend: put + cursor,
          append: cursor + put,
        }[kind];
        fc.pre(damaged !== cursor);
        expect([damaged, decodeCursor(list, damaged)]).toEqual([damaged, undefined]);
      }),
      tries(2_000),
    );
  });

  test('of arbitrary text is refused without an error', () => {
    fc.assert(
      fc.property(anyText(), anyText(200), (list, text) => {
        expect(decodeCursor(list, text)).toBeUndefined();
      }),
      tries(500),
    );
  });
});

interface Row {
  id: bigint;
  name: string;
  rank: number;
  seen: Date;
}

describe('pages', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.script(`
      CREATE TABLE fuzzed (
        id BIGINT PRIMARY KEY,
        name TEXT COLLATE "C" NOT NULL,
        rank INT NOT NULL,
        seen TIMESTAMPTZ(3) NOT NULL
      )`);
  });
  afterAll(() => database.close());

  const KEYS = {
    name: { sql: 'fuzzed.name', type: 'text', of: (row: Row) => row.name },
    rank: { sql: 'fuzzed.rank', type: 'integer', of: (row: Row) => row.rank },
    seen: { sql: 'fuzzed.seen', type: 'timestamptz', of: (row: Row) => row.seen.toISOString() },
    id: { sql: 'fuzzed.id', type: 'bigint', of: (row: Row) => String(row.id) },
  } as const;
  type Key = keyof typeof KEYS;

  function listBy(keys: readonly Key[], isDescending: boolean): List<Row> {
    return {
      description: JSON.stringify([keys, isDescending]),
      table: 'fuzzed',
      columns: 'fuzzed.id, fuzzed.name, fuzzed.rank, fuzzed.seen',
      from: 'fuzzed',
      dependsOn: [],
      conditions: () => [],
      order: {
        name: keys.join(),
        keys: keys.map((key) => KEYS[key]),
        isDescending,
        placeOf: (row) => keys.map((key) => KEYS[key].of(row)),
      },
    };
  }

  const order = fc.subarray<Key>(['name', 'rank', 'seen'], { minLength: 0 }).map((keys) => [...keys, 'id' as const]);
  const name = anyText(8).map((text) => wellFormed(text.replaceAll('\0', '')));
  const rows = fc.uniqueArray(
    fc.record({
      id: fc.oneof(fc.bigInt(1n, 50n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)),
      name: fc.oneof(fc.constantFrom('a', 'b'), name),
      rank: fc.oneof(fc.integer({ min: 0, max: 2 }), fc.integer()),
      seen: fc.oneof(
        fc.constantFrom(new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:00.001Z')),
        fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
      ),
    }),
    { selector: ({ id }) => id, maxLength: 30 },
  );

  test('read to the end have each item once and in order, for any order, page sizes and directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        order,
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
        async (some, keys, isDescending, sizes) => {
          await database.query('DELETE FROM fuzzed');
          await database.query(
            'INSERT INTO fuzzed SELECT * FROM unnest($1::bigint[], $2::text[], $3::int[], $4::timestamptz[])',
            [
              some.map((row) => row.id),
              some.map((row) => row.name),
              some.map((row) => row.rank),
              some.map((row) => row.seen),
            ],
          );
          const list = listBy(keys, isDescending);
          const direction = isDescending ? 'DESC' : 'ASC';
          const inOrder = await database.query<{ id: bigint }>(
            `SELECT id FROM fuzzed ORDER BY ${list.order.keys.map(({ sql }) => `${sql} ${direction}`).join(', ')}`,
          );
          const whole = inOrder.map(({ id }) => id);

          const readAll = async (isBackward: boolean) => {
            const ids: bigint[] = [];
            let cursor: string | null = null;
            for (let turn = 0; ; turn++) {
              const size = sizes[turn % sizes.length];
              const asked: PageArguments = isBackward ? { last: size, before: cursor } : { first: size, after: cursor };
              const { edges, pageInfo } = await readPage(database, list, asked);
              const read = edges.map(({ node }) => node.id);
              ids.splice(isBackward ? 0 : ids.length, 0, ...read);
              if (!(isBackward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return ids;
              expect(read).toHaveLength(size ?? 0);
              cursor = isBackward ? pageInfo.startCursor : pageInfo.endCursor;
            }
          };
          expect(await readAll(false)).toEqual(whole);
          expect(await readAll(true)).toEqual(whole);
          // A range between two cursors has exactly the items between them.
          const { edges } = await readPage(database, list, { first: 100 });
          const [from, to] = [edges[Math.floor(edges.length / 4)], edges[Math.floor((3 * edges.length) / 4)]];
          if (!from || !to) return;
          const between = await readPage(database, list, { after: from.cursor, before: to.cursor, first: 100 });
          expect(between.edges.map(({ node }) => node.id)).toEqual(
            whole.slice(whole.indexOf(from.node.id) + 1, whole.indexOf(to.node.id)),
          );
        },
      ),
      tries(40),
    );
  });

  test('after a hand-made cursor are a page or a refusal, never a server error', async () => {
    const year = fc.oneof(fc.constantFrom('0000', '0001', '1582', '2023', '9999', '+275760', '-271821', '99999'));
    const part = (most: number) => fc.nat(most).map((each) => String(each).padStart(2, '0'));
    const moment = fc
      .tuple(
        year,
        part(13),
        part(32),
        fc.constantFrom('T', ' ', 't'),
        part(25),
        part(61),
        fc.constantFrom('', ':00', ':60', ':00.123456789', ':00,5'),
        fc.constantFrom('Z', '', '+01:00', '+99:99', '-00:00', '+14:30', ' BC', 'z'),
      )
      .map(
        ([years, month, day, mark, hour, minute, second, zone]) =>
          `${years}-${month}-${day}${mark}${hour}:${minute}${second}${zone}`,
      );
    const some: fc.Arbitrary<unknown> = fc.oneof(
      anyText(),
      moment,
      fc.double(),
      fc.constantFrom<unknown>(null, true, [], {}, '-0', '+1', '01', ' 1', '1e3', 'infinity', 'now', 'epoch'),
    );
    /** Mostly plausible values of a key, and sometimes others. */
    const value = (right: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: some });
    const values = fc.record({
      name: value(anyText()),
      rank: value(fc.oneof(fc.integer(), fc.double(), fc.integer({ min: -(2 ** 33), max: 2 ** 33 }))),
      seen: value(
        fc.oneof(
          moment,
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        ),
      ),
      id: value(fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String)),
    });
    await fc.assert(
      fc.asyncProperty(order, fc.boolean(), values, async (keys, isDescending, made) => {
        const list = listBy(keys, isDescending);
        const text = JSON.stringify(keys.map((key) => made[key]));
        const sum = crc32(`${list.description} ${text}`).toString(16).padStart(8, '0');
        const cursor = Buffer.from(sum + text).toString('base64url');
        try {
          await readPage(database, list, { after: cursor });
        } catch (error) {
          expect([text, error]).toEqual([text, expect.any(Problem)]);
          expect((error as Problem).code).toBe('invalid_parameter');
        }
      }),
      tries(400),
    );
  });
});
