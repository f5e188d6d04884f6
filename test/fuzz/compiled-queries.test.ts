/** Queries that clients repeat are compiled. Their results are those of graphql-js, byte for byte. */
import fc from 'fast-check';
import { type ExecutionResult, execute, parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Access } from '../../src/access/access.ts';
import type { Context } from '../../src/catalogue/builder.ts';
import { readConfig } from '../../src/config.ts';
import { maskError } from '../../src/graphql/errors.ts';
import { openExecutor } from '../../src/graphql/executor.ts';
import { findOperation, readDocument } from '../../src/graphql/operation.ts';
import { schema } from '../../src/graphql/schema.ts';
import { openLog } from '../../src/operations/log.ts';
import { openServices } from '../../src/services.ts';
import { fillCatalogue } from '../harness/catalogue.ts';
import { openTestDatabase } from '../harness/database.ts';
import { repeatableQueries } from '../harness/documents.ts';
import { tries } from '../harness/fuzz.ts';
import { importRows } from '../harness/gateway.ts';

let services: Awaited<ReturnType<typeof openServices>>;
let context: Context;
const known = ['x', '4006381333931', 'B0DEMO0001', '2026-01-01'];

beforeAll(async () => {
  const database = await openTestDatabase();
  await fillCatalogue({
    database,
    importRows: (merchant, rows, options) => importRows(database, merchant, rows, options),
  });
  services = await openServices(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }), database, openLog('silent'));
  context = { ...services, access: new Access(null, () => '127.0.0.1', services.access) };
  const { data } = await run('{ products { nodes { id slug } } brands { nodes { id slug } } }');
  const { products, brands } = data as Record<string, { nodes: { id: string; slug: string }[] }>;
  for (const { id, slug } of [...(products?.nodes ?? []), ...(brands?.nodes ?? [])]) known.push(id, slug);
});
afterAll(() => services.close());

const run = async (query: string, variables: Record<string, unknown> = {}) =>
  execute({ schema: schema(), document: parse(query), contextValue: context, variableValues: variables });

/** A result as it is sent. */
const written = ({ errors, data }: ExecutionResult) =>
  JSON.stringify({ ...(errors && { errors: errors.map((error) => maskError(error, true)) }), data });

/** Whether two results have no data, each because of another field. */
function haveFailedElsewhere(one: string, other: string): boolean {
  const [field, otherField] = [one, other].map((result) => {
    const { data, errors } = JSON.parse(result) as { data: unknown; errors?: { path?: unknown[] }[] };
    return data === null ? errors?.[0]?.path?.[0] : undefined;
  });
  return field !== undefined && otherField !== undefined && field !== otherField;
}

/** Runs a query again and again until it is compiled, and then once more. */
async function runCompiled(query: string, variables: Record<string, unknown>) {
  const { run, isCompiled } = openExecutor(Number.POSITIVE_INFINITY);
  const operation = findOperation(readDocument(query), undefined);
  if (!operation) throw new Error('The document has no operation.');
  const repeated = { document: parse(query), operation, variables };
  const results: string[] = [];
  let compiled = 0;
  for (let use = 0; use < 4; use += 1) {
    results.push(written(await run(repeated, context)));
    if (isCompiled(operation)) compiled += 1;
  }
  return { results, compiled };
}

test('compiled queries are discarded by the length of their documents, which they keep', async () => {
  const { run, isCompiled } = openExecutor(Number.POSITIVE_INFINITY);
  const operations = [];
  for (let n = 0; n < 60; n += 1) {
    const query = `query a { plans { id } } # ${n}${'x'.repeat(8_000)}`;
    const operation = findOperation(readDocument(query), undefined);
    if (!operation) throw new Error('The document has no operation.');
    const repeated = { document: parse(query), operation, variables: {} };
    for (let use = 0; use < 3; use += 1) await run(repeated, context);
    operations.push(operation);
    expect(isCompiled(operation)).toBe(true);
  }
  expect(operations.filter(isCompiled)).toHaveLength(49);
});

test('a compiled query has the same result as one that graphql-js runs, also if it has errors', async () => {
  let compiledQueries = 0;
  let withErrors = 0;
  await fc.assert(
    fc.asyncProperty(
      repeatableQueries(() => known),
      async ({ query, variables }) => {
        fc.pre(validate(schema(), parse(query)).length === 0);
        fc.pre(!query.includes('viewer'));
        const expected = written(await run(query, variables));
        const { results, compiled } = await runCompiled(query, variables);
        for (const result of results) {
          // Of several fields that fail, the first to do so takes the data along.
          if (!haveFailedElsewhere(result, expected)) {
            expect([query, variables, result]).toEqual([query, variables, expected]);
          }
        }
        if (compiled > 0) compiledQueries += 1;
        if (compiled > 0 && expected.startsWith('{"errors"')) withErrors += 1;
      },
    ),
    tries(400),
  );
  // Otherwise the comparison above would show nothing.
  expect(compiledQueries).toBeGreaterThan(50);
  expect(withErrors).toBeGreaterThan(10);
});
