/** The estimate of an operation's work is compiled once and equals the one computed anew for each request. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { estimatorOf } from '../../src/graphql/complexity.ts';
import { costOf } from '../../src/graphql/cost.ts';
import { findOperation, readDocument, variablesOf } from '../../src/graphql/operation.ts';
import { documents, repeatableQueries } from '../harness/documents.ts';
import { PATIENCE_MS, tries } from '../harness/fuzz.ts';
import { plainComplexity } from '../harness/plain-complexity.ts';

const known = ['x', '4006381333931'];
const anyQuery = fc.oneof(
  repeatableQueries(() => known),
  documents(() => known).map((query) => ({ query, variables: {} })),
);
const anyNumbers = fc.array(fc.oneof(fc.integer({ min: -5, max: 5_000 }), fc.constantFrom(null, 'x', 1.5, [1])), {
  minLength: 1,
  maxLength: 8,
});

// The estimates of a price history and of a price index up to now depend on the time.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:00Z') }));
afterAll(() => void vi.useRealTimers());

function readQuery(query: string) {
  const operation = findOperation(readDocument(query), undefined);
  if (!operation) throw new Error(`The document has no operation: ${query}`);
  return operation;
}

test(
  'a compiled estimate equals the plain one, for one request after the other with other variables',
  () => {
    let depending = 0;
    fc.assert(
      fc.property(anyQuery, anyNumbers, ({ query, variables }, numbers) => {
        const operation = readQuery(query);
        const estimate = estimatorOf(operation);
        const others = Object.fromEntries(
          Object.keys(variables).map((name, index) => [name, numbers[index % numbers.length]]),
        );
        const costs = [variables, others, {}, variables].map((given) => {
          const all = variablesOf(operation, given);
          vi.setSystemTime(Date.now() + 86_400_000 / 7);
          const estimated = estimate(all);
          expect([query, given, estimated]).toEqual([query, given, plainComplexity(operation, all)]);
          return estimated.cost;
        });
        if (!/priceHistory|priceIndex/.test(query)) expect(costs[3]).toBe(costs[0]);
        if (new Set(costs).size > 1) depending += 1;
      }),
      tries(500),
    );
    expect(depending).toBeGreaterThan(20);
  },
  PATIENCE_MS,
);

const spread = (field: string, levels: number) =>
  `query Q($n: Int) { products(first: $n) { nodes { ...F0 } } }
   ${Array.from({ length: levels }, (_, n) => `fragment F${n} on Product { ${field} ...F${n + 1} ...F${n + 1} }`).join(' ')}
   fragment F${levels} on Product { name }`;

test.each([
  [
    'categories in categories',
    'query Q($n: Int) { categories(depth: $n) { id children { children { id ...C } } } } fragment C on Category { parent { id } children { name } }',
  ],
  ['fragments that double', spread('id', 8)],
  [
    'windows by variables',
    'query Q($n: Int, $m: String) { product(id: "a") { a: priceHistory(days: $n) { points { min } } b: priceHistory(merchant: $m) { currency } c: priceHistory { currency } } }',
  ],
  ['many lookups', 'query Q($n: [IdentifierInput!]!) { lookups(identifiers: $n) { offers { id } } }'],
  ['a default', 'query Q($n: Int = 50) { products(first: $n) { edges { node { offers { id } } } } }'],
  [
    'an unknown fragment and an unknown field',
    'query Q($n: Int) { products(first: $n) { nodes { ...Unknown nothing } } }',
  ],
])('the compiled estimate of %s equals the plain one', (_what, query) => {
  const operation = readQuery(query);
  for (const n of [1, 100, undefined, 7, [{ ean: 'x' }, { ean: 'y' }], 'x', null]) {
    for (const m of ['a', undefined]) {
      const variables = variablesOf(operation, { ...(n !== undefined && { n }), ...(m && { m }) });
      expect(estimatorOf(operation)(variables)).toEqual(plainComplexity(operation, variables));
    }
  }
});

test('the price of an operation follows its variables from one request to the next', () => {
  const query =
    'query Q($a: [IdentifierInput!]!) { lookups(identifiers: $a) { offers { id } } plans { id } viewer { used } }';
  const many = (count: number) => ({ a: Array.from({ length: count }, () => ({ ean: '4006381333931' })) });
  const prices = [3, 1, 100, 3].map((count) => costOf(query, undefined, many(count)));
  expect(prices).toEqual([4, 2, 101, 4]);
});
