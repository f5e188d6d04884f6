/** How searches read a query that is written differently from the name, and the order of what they find (docs/api.md, How words match). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { listAudit } from '../src/access/audit.ts';
import { otherNumbersOf } from '../src/catalogue/search/plurals.ts';
import { MOST_QUANTITIES, quantitiesIn } from '../src/catalogue/search/quantities.ts';
import { knownAlternatives, MOST_COMPOUND_WORDS, readingsOf } from '../src/catalogue/search/readings.ts';
import { clearSynonyms, listSynonyms, parseSynonyms, replaceSynonyms } from '../src/import/synonyms.ts';
import { namesOf } from './harness/catalogue.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { folderForFile, forFile } from './harness/lifetime.ts';

const NAMES = [
  'Arabica Beans 500g',
  'Oat Flakes 0.75 kg',
  'Green Tea 1,5 l',
  'Vanilla Icecream',
  'Ice Cream Scoop',
  'Rechargeable Battery',
  'Schreibtisch Lampe',
  'Grand Cheval',
  'Studio Headphones',
  'Ceramic Ice Bowl',
  'Kettle Steel',
];

const folder = folderForFile('pda-synonyms-');
const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
const rows = NAMES.map((title, n) => feedRow({ id: String(n), title, brand: 'Plain', mpn: `P-${n}` }));
await gateway.importRows('One', rows);
const inLists = async (q: string) =>
  namesOf((await gateway.get(`/api/v1/products?q=${encodeURIComponent(q)}`, { key })).body);
const inSuggestions = async (q: string) =>
  namesOf((await gateway.get(`/api/v1/search?q=${encodeURIComponent(q)}`, { key })).body);

/** Writes a file of synonyms. */
function fileOf(text: string | Buffer): string {
  const file = join(folder, 'synonyms.txt');
  writeFileSync(file, text);
  return file;
}

describe('a product is found', () => {
  test.each([
    ['arabica 500 g', 'Arabica Beans 500g', 'with a blank before the unit'],
    ['arabica 0.5 kg', 'Arabica Beans 500g', 'with a larger unit'],
    ['arabica 0,5kg', 'Arabica Beans 500g', 'with a decimal comma'],
    ['arabica 0.500 kg', 'Arabica Beans 500g', 'with further zeros'],
    ['oat 750g', 'Oat Flakes 0.75 kg', 'with a smaller unit'],
    ['tea 1500 ml', 'Green Tea 1,5 l', 'with a smaller unit of volume'],
    ['vanilla ice cream', 'Vanilla Icecream', 'by its words written apart'],
    ['icecream scoop', 'Ice Cream Scoop', 'by its words written together'],
    ['batteries', 'Rechargeable Battery', 'by an English plural'],
    ['schreibtische', 'Schreibtisch Lampe', 'by a German plural'],
    ['lampen', 'Schreibtisch Lampe', 'by a German plural with n'],
    ['chevaux', 'Grand Cheval', 'by a French plural'],
  ])('by "%s": %s, %s', async (query, name) => {
    expect(await inLists(query)).toContain(name);
    expect(await inSuggestions(query)).toContain(name);
  });

  test.each(['arabica 501 g', 'arabica 5 kg', 'oat 75g'])('not by another quantity: "%s"', async (query) => {
    expect(await inLists(query)).toEqual([]);
  });

  test('in facets as in lists', async () => {
    const { body } = await gateway.get('/api/v1/facets?q=arabica%200.5kg', { key });
    expect(body.data.merchants).toMatchObject([{ count: 1 }]);
  });
});

test('suggestions do not correct the beginning of a word that names have as it stands', async () => {
  expect(await inSuggestions('ice cream')).not.toContain('Ceramic Ice Bowl');
});

test('names with the words as they stand come before other readings', async () => {
  expect(await inLists('ice cream')).toEqual(['Ice Cream Scoop', 'Vanilla Icecream']);
});

describe('synonyms', () => {
  afterAll(async () => {
    await clearSynonyms(gateway.database);
  });

  test('find each other, as prefixes too, from the next request on', async () => {
    expect(await inLists('kopfhörer')).toEqual([]);
    await replaceSynonyms(gateway.database, fileOf('# shop\nKopfhörer, headphone\n\nwater boiler, kettle\n'));
    expect(await inLists('kopfhörer')).toEqual(['Studio Headphones']);
    expect(await inSuggestions('studio kopfhörer')).toEqual(['Studio Headphones']);
    expect(await inLists('steel water boiler')).toEqual(['Kettle Steel']);
  });

  test('with => count in one direction', async () => {
    await replaceSynonyms(gateway.database, fileOf('boiler => kettle'));
    expect(await inLists('boiler')).toEqual(['Kettle Steel']);
    expect(await listSynonyms(gateway.database)).toEqual([{ term: 'boiler', meanings: ['kettle'] }]);
  });

  test('are replaced as a whole, and recorded in the audit log', async () => {
    await replaceSynonyms(gateway.database, fileOf('a, b\n'));
    expect(await inLists('boiler')).toEqual([]);
    const entries = await listAudit(gateway.database, { action: 'synonyms.replace' });
    expect(entries.at(-1)).toMatchObject({ before: { terms: 1 }, after: { terms: 2 } });
  });

  test('do not change in a dry run', async () => {
    const before = await listSynonyms(gateway.database);
    expect(await replaceSynonyms(gateway.database, fileOf('x, y, z'), true)).toEqual({ terms: 3, before: 2 });
    expect(await listSynonyms(gateway.database)).toEqual(before);
  });

  test('stay as they are if a line is invalid', async () => {
    const before = await listSynonyms(gateway.database);
    const refused = replaceSynonyms(gateway.database, fileOf('c, d\nlonely\n'));
    await expect(refused).rejects.toThrow(/line 2/i);
    expect(await listSynonyms(gateway.database)).toEqual(before);
  });

  test('are refused in another encoding', async () => {
    const refused = replaceSynonyms(gateway.database, fileOf(Buffer.from([0x61, 0x2c, 0xe4])));
    await expect(refused).rejects.toThrow('not UTF-8');
  });

  test.each([
    ['a term without letters', 'a, !', /no letter or digit/],
    ['two arrows', 'a => b => c', /one `=>`/],
    ['the same term twice', 'Sofa, sofa', /two different terms/],
    ['a term of nine words', 'a b c d e f g h i, j', /9 words/],
    ['more than twenty terms', Array.from({ length: 21 }, (_, n) => `t${n}`).join(','), /21 terms/],
    ['too many lines', 'a, b\n'.repeat(10_001), /lines/],
    [
      'more than twenty meanings',
      Array.from({ length: 21 }, (_, n) => `a => t${n}`).join('\n'),
      /more than 20 meanings/,
    ],
  ])('are refused with %s', (_, text, message) => {
    expect(() => parseSynonyms(text)).toThrow(message);
  });
});

describe('a query is read', () => {
  test('with at most four quantities', () => {
    expect(quantitiesIn('1 g 2 g 3 g 4 g 5 g')).toHaveLength(MOST_QUANTITIES);
  });

  test('with quantities of the same value only', () => {
    const respelled = quantitiesIn('0.5 kg')[0]?.respelled.map((words) => words.join(' '));
    expect(respelled).toEqual(expect.arrayContaining(['500g', '500 g', '0 5kg']));
    expect(respelled).not.toContain('5 kg');
  });

  test('without quantities where a unit is part of a word', () => {
    expect(quantitiesIn('2 gloves, x500g, 3glasses')).toEqual([]);
  });

  test('with its length as a limit of the work, whatever its words', () => {
    for (const query of [
      'ab '.repeat(33),
      'abcdefgh '.repeat(11),
      'a'.repeat(100),
      'a1'.repeat(50),
      '冷凍'.repeat(50),
      '1 g '.repeat(25),
    ]) {
      const read = readingsOf(query);
      const known = knownAlternatives(read, () => true);
      const compounds = known.filter((each) => read.compounds.includes(each));
      expect(compounds.reduce((sum, { words }) => sum + words.length, 0)).toBeLessThanOrEqual(MOST_COMPOUND_WORDS);
      expect(known.length).toBeLessThan(250);
    }
  });

  test('without joining single letters, except with numbers', () => {
    expect(readingsOf('a b c').compounds).toEqual([]);
    expect(readingsOf('x 15').compounds).toMatchObject([{ words: ['x15'] }]);
  });

  test.each([
    ['parties', 'party'],
    ['knives', 'knife'],
    ['kinder', 'kind'],
    ['frauen', 'frau'],
    ['gateaux', 'gateau'],
    ['journal', 'journaux'],
  ])('with %s as %s', (word, other) => {
    expect(otherNumbersOf(word)).toContain(other);
  });

  test('without another number of short words', () => {
    expect(otherNumbersOf('bus')).toEqual([]);
  });
});
