import { describe, expect, test } from 'vitest';
import { tableOf } from '../src/rest/table.ts';

describe('a table', () => {
  test('is refused at start if a row would contain a list of objects', () => {
    const source = { document: '{ data: products { nodes { id offers { id } } } }', shape: 'page' } as const;
    expect(() => tableOf(source)).toThrow('offers');
  });

  test('is refused at start if the list does not exist', () => {
    const document = '{ data: merchants { pageInfo { endCursor } } }';
    const table = { rows: 'points', beside: [] };
    expect(() => tableOf({ document, shape: { member: 'pageInfo' }, table })).toThrow('points');
  });
});
