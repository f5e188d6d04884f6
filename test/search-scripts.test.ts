/** How searches read names in all scripts, and numbers with units (docs/api.md, How words match). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownMigrations } from '../src/database/migrate.ts';
import { importArticles } from '../src/import/articles.ts';
import { startFolding } from '../src/import/bring-up-to-date.ts';
import { clearSynonyms, replaceSynonyms } from '../src/import/synonyms.ts';
import { namesOf } from './harness/catalogue.ts';
import { feedRow, startTestGateway } from './harness/gateway.ts';
import { folderForFile, forFile } from './harness/lifetime.ts';

const NAMES = [
  'दाल 500 ग्राम',
  'दिल तकिया',
  'バス タオル',
  'パス ケース',
  'ปากกา',
  'ปูกก',
  '冷凍保存容器セット',
  'アイス クリーム',
  'กล่องอาหารกลางวัน',
  '无线蓝牙耳机',
  'ກ່ອງອາຫານກາງເວັນ',
  'ប្រអប់អាហារថ្ងៃត្រង់',
  'နေ့လယ်စာဘူး',
  'Wireless Headphones',
  'Πόστερ τοίχου',
  'Κόσμημα ασημένιο',
  'Καφές φίλτρου',
  'Fonix P1 phone 256 GB',
  'Ladex charger 65 W',
  'Schraubo drill 18V',
  'Monitra screen 27 inch 144 Hz',
  'Curvo display 32"',
  'Mehlo flour 500 g',
  'Pomelo phone X15',
  'Akkora battery 5000 mAh',
  'Ladex lamp 65 white',
  'Pomelo phone 150',
  'Quello water 6 x 330 ml',
];

const folder = folderForFile('pda-scripts-');
const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await gateway.importRows(
  'Shop',
  NAMES.map((title, n) => feedRow({ id: String(n), title, brand: n === 0 ? '冷凍工房' : 'Plain' })),
);
const found = async (path: string, q: string) =>
  namesOf((await gateway.get(`/api/v1/${path}?q=${encodeURIComponent(q)}`, { key })).body);

describe('exactly these products are found', () => {
  test.each([
    ['दाल', ['दाल 500 ग्राम'], 'vowel signs are letters'],
    ['दिल', ['दिल तकिया'], 'vowel signs are letters'],
    ['バス', ['バス タオル'], 'so are voiced sounds'],
    ['ﾊﾟｽ', ['パス ケース'], 'so are voiced sounds in half width'],
    ['ปากกา', ['ปากกา'], 'Thai vowels'],
    ['保存', ['冷凍保存容器セット'], 'a Japanese word inside a name'],
    ['保存容器', ['冷凍保存容器セット'], 'two of them'],
    ['セット', ['冷凍保存容器セット'], 'the last one'],
    ['ト', ['冷凍保存容器セット'], 'the last letter'],
    ['容器冷凍', [], 'letters that no name has side by side'],
    ['アイスクリーム', ['アイス クリーム'], 'written together'],
    ['冷凍 セット', ['冷凍保存容器セット'], 'written apart'],
    ['อาหาร', ['กล่องอาหารกลางวัน'], 'a Thai word inside a name'],
    ['耳机', ['无线蓝牙耳机'], 'a Chinese word inside a name'],
    ['蓝牙耳机', ['无线蓝牙耳机'], 'two of them'],
    ['ອາຫານ', ['ກ່ອງອາຫານກາງເວັນ'], 'a Lao word inside a name'],
    ['អាហារ', ['ប្រអប់អាហារថ្ងៃត្រង់'], 'a Khmer word inside a name'],
    ['ဘူး', ['နေ့လယ်စာဘူး'], 'a Burmese word inside a name'],
    ['ΠΟΣ', ['Πόστερ τοίχου'], 'a Greek prefix in capitals'],
    ['ΚΟΣ', ['Κόσμημα ασημένιο'], 'a Greek prefix in capitals'],
    ['ποσ', ['Πόστερ τοίχου'], 'a Greek prefix'],
    ['ΠΟΣΤΕΡ', ['Πόστερ τοίχου'], 'a Greek word in capitals'],
    ['καφέσ', ['Καφές φίλτρου'], 'a final sigma typed as another'],
    ['256gb', ['Fonix P1 phone 256 GB'], 'a unit written together'],
    ['0.256 tb', ['Fonix P1 phone 256 GB'], 'a larger unit'],
    ['65w', ['Ladex charger 65 W'], 'a short unit is complete'],
    ['65 watt', ['Ladex charger 65 W'], 'a unit in full'],
    ['18 v', ['Schraubo drill 18V'], 'a unit written apart'],
    ['144hz', ['Monitra screen 27 inch 144 Hz'], 'hertz'],
    ['27 zoll', ['Monitra screen 27 inch 144 Hz'], 'inches in German'],
    ['27"', ['Monitra screen 27 inch 144 Hz'], 'inches as a sign'],
    ['32 inch', ['Curvo display 32"'], 'inches of a name with the sign'],
    ['500g', ['Mehlo flour 500 g'], 'grams'],
    ['6x330ml', ['Quello water 6 x 330 ml'], 'packs'],
    ['6x0,33 l', ['Quello water 6 x 330 ml'], 'packs in a larger unit'],
    ['6 x 330ml', ['Quello water 6 x 330 ml'], 'packs written apart'],
    ['5x330ml', [], 'another number of packs'],
    ['5ah', ['Akkora battery 5000 mAh'], 'ampere hours'],
    ['pomelo x 15', ['Pomelo phone X15'], 'a model number written apart'],
    ['fonix p 1', ['Fonix P1 phone 256 GB'], 'a model number written apart'],
    ['pomelo phone150', ['Pomelo phone 150'], 'a model number written together'],
    ['pomelo phone15', [], 'another model number'],
  ])('by "%s": %j (%s)', async (q, names) => {
    expect(await found('products', q)).toEqual(names);
  });
});

test('suggestions, facets, brands by prefix and articles read scripts in the same way', async () => {
  expect(await found('search', '耳机')).toEqual(['无线蓝牙耳机']);
  expect(await found('search', '冷凍')).toContain('冷凍工房');
  expect(await found('brands', '冷凍工')).toEqual(['冷凍工房']);
  const { body } = await gateway.get(`/api/v1/facets?q=${encodeURIComponent('保存容器')}`, { key });
  expect(body.data.merchants).toMatchObject([{ count: 1 }]);
  writeFileSync(
    join(folder, 'guide.md'),
    '---\ntitle: 蓝牙耳机指南\nsummary: दाल.\npublished: 2026-11-20\n---\nText.\n',
  );
  await importArticles(gateway.database, folder);
  for (const q of ['耳机', 'दाल']) {
    const articles = await gateway.get(`/api/v1/articles?q=${encodeURIComponent(q)}`, { key });
    expect(articles.body.data).toMatchObject([{ title: '蓝牙耳机指南' }]);
  }
  expect((await gateway.get(`/api/v1/articles?q=${encodeURIComponent('दिल')}`, { key })).body.data).toEqual([]);
});

test('synonyms stand for words inside names without blanks', async () => {
  const file = join(folder, 'synonyms.txt');
  writeFileSync(file, '耳机 => headphones\nearbuds => 蓝牙耳机');
  await replaceSynonyms(gateway.database, file);
  expect(await found('products', '耳机')).toEqual(['无线蓝牙耳机', 'Wireless Headphones']);
  expect(await found('products', 'earbuds')).toEqual(['无线蓝牙耳机']);
  await clearSynonyms(gateway.database);
});

test('names of an older version get their words anew while the service runs, those in other scripts not', async () => {
  const { database } = gateway;
  await database.script(`
    UPDATE product_search SET search = array_to_tsvector(ARRAY['old']);
    UPDATE popular_product SET search = array_to_tsvector(ARRAY['old']);
    UPDATE article SET search = array_to_tsvector(ARRAY['old']);
    DROP TABLE unfolded_name; CREATE INDEX product_unfolded_idx ON product (id);
    ${ownMigrations().find(({ name }) => name.endsWith('words_of_all_scripts'))?.sql}`);
  const folding = startFolding(database, (error) => expect.unreachable(String(error)));
  await expect.poll(() => database.query('SELECT FROM unfolded_name'), { timeout: 30_000 }).toEqual([]);
  folding.stop();
  const isRenewed = (name: string) => /[^ -~Ͱ-Ͽά-ώ]|ς/.test(name);
  const rows = await database.query<{ name: string }>(
    "SELECT name FROM product JOIN product_search ON product_id = id WHERE search <> array_to_tsvector(ARRAY['old']) ORDER BY id",
  );
  expect(rows.map(({ name }) => name)).toEqual(NAMES.filter(isRenewed));
  expect(await found('search', '冷凍 दाल')).toEqual(['दाल 500 ग्राम']);
  expect((await gateway.get('/api/v1/articles?q=text', { key })).body.data).toHaveLength(1);
});
