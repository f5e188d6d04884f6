/** The amounts of goods that rows state, and that names tell. */
import { describe, expect, test } from 'vitest';
import { measureInName } from '../../src/import/measure/name-measure.ts';
import { findSoldByMeasure } from '../../src/import/measure/sold-by-measure.ts';
import { readStatedMeasure } from '../../src/import/measure/stated-measure.ts';
import { encodeMeasure, type Measure, PARTS_OF_BASE_UNIT, unitPriceOf } from '../../src/values/unit-price.ts';

/** An amount as a number and its base unit: `0.33 l`. */
const shown = (measure: Measure | undefined) =>
  measure && `${Number(measure.parts) / Number(PARTS_OF_BASE_UNIT)} ${measure.unit}`;

describe('unit_pricing_measure', () => {
  test.each([
    ['1.5kg', '1.5 kg'],
    ['1,5 kg', '1.5 kg'],
    ['750 g', '0.75 kg'],
    ['750G', '0.75 kg'],
    ['200 mg', '0.0002 kg'],
    ['0.750 l', '0.75 l'],
    ['750ml', '0.75 l'],
    ['75 cl', '0.75 l'],
    ['2 Liter', '2 l'],
    ['3 cbm', '3 m3'],
    ['10 cm', '0.1 m'],
    ['2 m', '2 m'],
    ['2 m²', '2 m2'],
    ['2.5 sqm', '2.5 m2'],
    ['12 ct', '12 ct'],
    ['1 oz', '0.028349523 kg'],
    ['2 lb', '0.90718474 kg'],
    ['1 fl oz', '0.02957353 l'],
    ['1 fl. oz.', '0.02957353 l'],
    ['1 floz', '0.02957353 l'],
    ['1 pt', '0.473176473 l'],
    ['1 qt', '0.946352946 l'],
    ['1 gal', '3.785411784 l'],
    ['10 in', '0.254 m'],
    ['10 ft', '3.048 m'],
    ['10 yd', '9.144 m'],
    ['10 sqft', '0.9290304 m2'],
  ])('%s is %s', (text, amount) => {
    expect(shown(readStatedMeasure(text))).toBe(amount);
  });

  test.each([
    ['another unit', '5 parsecs'],
    ['no unit', '750'],
    ['no number', 'kg'],
    ['nothing', '0 g'],
    ['a number below 0', '-5 g'],
    ['thousands or decimals', '1.000 g'],
    ['the same with a comma', '1,000 g'],
    ['two amounts', '1 kg 500 g'],
    ['a range', '4-9 kg'],
    ['an amount beyond a million units', '9999999 kg'],
    ['a very long text', `${'1'.repeat(50)} g`],
    ['a name of an object’s member', '1 constructor'],
  ])('with %s is ignored', (_what, text) => {
    expect(readStatedMeasure(text)).toBeUndefined();
  });
});

describe('the name of goods that are sold by their amount', () => {
  test.each([
    ['Cola 330 ml', '0.33 l'],
    ['Cola 0,33l', '0.33 l'],
    ['Wasser 1,5 L PET', '1.5 l'],
    ['Mehl 405 fein, 1 kg', '1 kg'],
    ['MEHL 1 KG', '1 kg'],
    ['Spaghetti integrale - 500g', '0.5 kg'],
    ['Vodka 40% 0,7 l', '0.7 l'],
    ['Olive Oil 16.9 fl. oz', '0.499792657 l'],
    ['Rice 2 lb', '0.90718474 kg'],
    ['Cola 6 x 330 ml', '1.98 l'],
    ['Cola 6x330ml Dosen', '1.98 l'],
    ['Cola 6×0,33 l', '1.98 l'],
    ['Cola 330 ml x 6', '1.98 l'],
    ['Cola 4 x 6 x 330 ml', '7.92 l'],
    ['Cola Kasten 12 x 1 l', '12 l'],
    ['Cola 6 x 330 ml (1,98 l)', '1.98 l'],
    ['Mehl 1 kg (1000 g)', '1 kg'],
    ['Mehl 500 g.', '0.5 kg'],
    ['Riesling 2019 0,75 l', '0.75 l'],
    ['Trockenfutter für Hunde 14 kg', '14 kg'],
    ['Purina Pro Plan Adult 14kg', '14 kg'],
  ])('“%s” tells %s', (name, amount) => {
    expect(shown(measureInName(name, true))).toBe(amount);
  });

  test.each([
    ['several packs beside an amount', '24x Cola 330 ml'],
    ['the same behind it', 'Cola 330 ml, 24x'],
    ['packs in words', 'Cola 330 ml 6er Pack'],
    ['packs in words with a hyphen', 'Cola 330 ml, 6-er'],
    ['a number of cans', 'Cola 24 Dosen 330 ml'],
    ['a pack of several', 'Cola pack of 6, 330 ml'],
    ['a number in brackets', 'Cola 330 ml (6)'],
    ['a set', 'Cola 6er Set'],
    ['a set of an amount', 'Saucen Set 330 ml'],
    ['a double pack', 'Ketchup Doppelpack 500 ml'],
    ['a number of tea bags', 'Tee 20 Beutel 40 g'],
    ['a weight that is a limit', 'Windeln bis zu 18 kg'],
    ['a range of weights', 'Snack 4-9 kg'],
    ['a range of volumes', 'Saft 0.5l-1l'],
    ['another range', 'Saft 0,5 bis 1 l'],
    ['thousands or decimals', 'Mehl 1.000 g'],
    ['thousands after a blank', 'Mehl 1 000 g'],
    ['a number before the amount', 'Bier 20 0,5 l'],
    ['the same with a comma', 'Bier 20, 0,5 l'],
    ['storage', 'Phone 64G'],
    ['more than was ordered', 'Cola 5+1 330 ml'],
    ['an amount for free', 'Mehl 500 g + 100 g gratis'],
    ['about', 'Lachs ca. 500 g'],
    ['a sign for about', 'Lachs ~500 g'],
    ['a price of an amount', 'Käse 1,99 € 100 g'],
    ['a rate', 'Käse per 100 g'],
    ['a rate in German', 'Käse je 100 g'],
    ['a rate with a stroke', 'Käse 2,00/100 g'],
    ['two amounts', 'Thunfisch 195 g Abtropfgewicht 140 g'],
    ['a pack and its piece', 'Schokolade 100 g, 5 x 25 g'],
    ['what it is for', 'Tabletten für 10 l'],
    ['what it makes', 'Konzentrat ergibt 5 l'],
    ['a dose', 'Magnesium 400 mg Pulver'],
    ['ounces of mass or volume', 'Beer 12 oz'],
    ['a measure of size', 'Torte 20 x 30 cm'],
    ['no amount', 'Cola'],
    ['nothing', 'Cola 0 ml'],
    ['an amount that no shop sells', 'Cola 99999 kg'],
    ['an amount after letters', 'XL500 g'],
    ['an article', "7 l'eau"],
    ['an amount for each', '6 Dosen à 0,5 l'],
  ])('with %s tells nothing', (_what, name) => {
    expect(measureInName(name, true)).toBeUndefined();
  });
});

describe('the name of goods without a known category', () => {
  test('tells the amount of several packs', () => {
    expect(shown(measureInName('Cola 6 x 330 ml', undefined))).toBe('1.98 l');
  });

  test.each([
    ['a single amount', 'Cola 330 ml'],
    ['a capacity', 'Wasserkocher 1.7 l'],
    ['a capacity in English', 'Kettle 1.7 l'],
    ['a backpack', 'Backpack 25 l'],
    ['several containers', 'Vorratsdosen 3 x 1 l'],
    ['several dumbbells', 'Kurzhanteln 2 x 10 kg'],
    ['a screen', 'TV 55 Zoll'],
    ['one pack', 'Cola 1 x 330 ml'],
  ])('with %s tells nothing', (_what, name) => {
    expect(measureInName(name, undefined)).toBeUndefined();
  });
});

test.each([
  'Cola 330 ml',
  'Kettle 1.7 l',
  'Storage Boxes 6 x 330 ml',
])('the name of other goods tells nothing: %s', (name) => {
  expect(measureInName(name, false)).toBeUndefined();
});

test('a name of dozens of amounts, or of more than 300 characters, tells nothing', () => {
  expect(measureInName('1 g 2 g '.repeat(35), true)).toBeUndefined();
  expect(measureInName(`Cola 330 ml ${'a'.repeat(300)}`, true)).toBeUndefined();
  expect(measureInName('2 x '.repeat(70), true)).toBeUndefined();
  expect(measureInName('.,'.repeat(140), true)).toBeUndefined();
});

test('the categories of goods that are sold by their amount include all below them, except gift baskets', () => {
  const tree = [
    { id: 1n, google_id: 412, parent_id: null },
    { id: 2n, google_id: 422, parent_id: 1n },
    { id: 3n, google_id: 1876, parent_id: 2n },
    { id: 4n, google_id: 136, parent_id: 2n },
    { id: 5n, google_id: 222, parent_id: null },
  ];
  expect([...findSoldByMeasure(tree)]).toEqual([2n, 3n]);
});

describe('the unit price', () => {
  const priced = (total: bigint, parts: bigint) => unitPriceOf(total, encodeMeasure({ parts, unit: 'kg' }))?.amount;

  test('is rounded to the minor unit', () => {
    expect(priced(100n, 3n * PARTS_OF_BASE_UNIT)).toBe(33n);
    expect(priced(200n, 3n * PARTS_OF_BASE_UNIT)).toBe(67n);
    expect(priced(1n, 2n * PARTS_OF_BASE_UNIT)).toBe(1n);
  });

  test('is none where it rounds to 0, or is beyond all prices', () => {
    expect(priced(1n, 3n * PARTS_OF_BASE_UNIT)).toBeUndefined();
    expect(priced(10n ** 18n, 1n)).toBeUndefined();
  });
});
