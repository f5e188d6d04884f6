/** How names and queries become words, and which texts are one typing error away. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldName, typosOf, wordsOf } from '../src/values/words.ts';

describe('the words of a name', () => {
  test.each([
    ['Crémona Barista-Tre', ['cremona', 'barista', 'tre']],
    ["Levi's 501®", ['levis', '501']],
    ['Straße Ærø Łódź', ['strasse', 'aero', 'lodz']],
    ['ЁЛКА Йод', ['елка', 'иод']],
    ['iPhone 15 (128GB)', ['iphone', '15', '128gb']],
    ['ﬁne Ⅻ ½', ['fine', 'xii', '1', '2']],
    ['İstanbul', ['istanbul']],
    ['日本のお茶', ['日本', '本の', 'のお', 'お茶', '茶']],
    ['PS5本体 ｶﾞﾗｽ', ['ps5', '本体', '体', 'ガラ', 'ラス', 'ス']],
    ['दाल ਦਾਲ', ['दाल', 'ਦਾਲ']],
    ['กล่อง', ['กล', 'ล่', '่อ', 'อง', 'ง']],
    ['مُحَمَّد שָׁלוֹם', ['محمد', 'שלום']],
    ['ΚΌΣΜΟΣ κόσμος', ['κοσμοσ', 'κοσμοσ']],
    ['1️⃣ ™️', ['1', 'tm']],
    ['!!! — ★', []],
    ['', []],
  ])('%s', (name, words) => {
    expect(wordsOf(name)).toEqual(words);
  });

  test('are the same however its accents are encoded', () => {
    expect(foldName('Café'.normalize('NFD'))).toBe(foldName('Café'.normalize('NFC')));
  });

  test('start like the name, so that a partly typed name finds it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zäöüßéñøа-яё]{1,20}$/), fc.nat(20), (word, cut) => {
        const whole = foldName(word);
        expect(whole.startsWith(foldName([...word].slice(0, cut).join('')))).toBe(true);
      }),
    );
  });

  test.each(['冷凍保存容器', 'बिस्तर', 'กล่องอาหาร', 'ΠΟΣΤΕΡ'])('start like the name in every script: %s', (word) => {
    const whole = foldName(word);
    for (let cut = 1; cut < word.length; cut += 1) expect(whole.startsWith(foldName(word.slice(0, cut)))).toBe(true);
  });

  test('contain only letters, their marks and digits, so that a query never reads them as operators', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        for (const word of wordsOf(name)) expect(word).toMatch(/^[\p{L}\p{M}\p{N}]{1,64}$/u);
      }),
    );
  });
});

describe('the typing errors of a word', () => {
  test.each([
    ['samsung', 'smasung', 'two swapped letters'],
    ['samsung', 'samsng', 'a missing letter'],
    ['samsung', 'samssung', 'an extra letter'],
    ['samsung', 'sansung', 'a wrong letter'],
    ['samsung', 'xamsung', 'a wrong first letter'],
    ['samsung', 'samsun', 'the last letter missing'],
    ['samsung', 'samsungs', 'an extra letter at the end'],
    ['чайник', 'чаиник', 'Cyrillic'],
    ['чайник', 'чаийник', 'Cyrillic, with an extra letter'],
    ['καφές', 'καφε', 'Greek, without the last letter'],
  ])('%s is near %s: %s', (meant, written) => {
    expect(typosOf(foldName(written)).includes(foldName(meant)) || foldName(written) === foldName(meant)).toBe(true);
  });

  test('of three letters are words of four that have lost one', () => {
    expect(typosOf('lmp')).toContain('lamp');
    for (const each of typosOf('lmp')) expect(each).toHaveLength(4);
  });

  test.each(['ab', 'x', 'ab1', 'a-b'])('do not exist for a word with fewer than three letters: %s', (word) => {
    expect(typosOf(word)).toEqual([]);
  });

  test('do not exist for a number, because another number is another thing', () => {
    expect(typosOf('2023')).toEqual([]);
  });

  test('are each one step away, and none is the word itself', () => {
    const near = typosOf('lamp');
    expect(near).not.toContain('lamp');
    for (const each of near) expect(Math.abs(each.length - 4)).toBeLessThanOrEqual(1);
    expect(new Set(near).size).toBe(near.length);
  });
});
