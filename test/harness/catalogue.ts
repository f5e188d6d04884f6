/** A small fixed catalogue for tests of lists: six products in three categories, of three brands, at three shops. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/database/database.ts';
import { importTaxonomy } from '../../src/import/taxonomy.ts';
import { feedRow, type TestGateway } from './gateway.ts';

export const TAXONOMY = `# Google_Product_Taxonomy_Version: 2021-09-21
222 - Electronics
223 - Electronics > Audio
505771 - Electronics > Audio > Headphones
249 - Electronics > Audio > Speakers
2092 - Software
988 - Sporting Goods
`;

/** Imports the lines of a taxonomy file. */
export async function importTaxonomyText(database: Database, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pda-taxonomy-'));
  writeFileSync(join(folder, 'taxonomy.txt'), text);
  await importTaxonomy(database, join(folder, 'taxonomy.txt'));
  rmSync(folder, { recursive: true });
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/**
 * Fills a gateway. Lowest totals: Écho 50, Echo Mini 20, Thunder 90, Thunder Duo 120, Klang 20 (backorder), Sold Out none.
 * Shops: Alpha offers all but Thunder Duo; Beta Écho, Thunder and Thunder Duo; Gamma has withdrawn all its offers.
 */
export async function fillCatalogue(gateway: Pick<TestGateway, 'database' | 'importRows'>): Promise<void> {
  await importTaxonomyText(gateway.database, TAXONOMY);
  const headphones = '505771';
  const echo = feedRow({
    id: 'echo',
    title: 'Écho Headphones Black',
    brand: 'Aurelio',
    gtin: '4006381333931',
    asin: 'B0DEMO0001',
    mpn: 'EC-1',
    google_product_category: headphones,
    description: 'Quiet where you want it.',
    image_link: 'https://images.example/echo.jpg',
    color: 'Black',
    size: 'M',
    price: '80.00 EUR',
  });
  const mini = feedRow({
    id: 'mini',
    title: 'Echo Mini',
    brand: 'Aurelio',
    google_product_category: '223',
    price: '20 EUR',
  });
  const thunder = feedRow({
    id: 'thunder',
    title: 'Thunder Speaker',
    brand: 'Donner & Söhne',
    gtin: '4006381333948',
    google_product_category: '249',
    price: '90 EUR',
  });
  const duo = feedRow({
    id: 'duo',
    title: 'Thunder Speaker Duo',
    brand: 'Donner & Söhne',
    gtin: '4006381333955',
    google_product_category: '249',
    price: '120 EUR',
    availability: 'preorder',
  });
  const klang = feedRow({
    id: 'klang',
    title: 'Кланг Колонка',
    brand: 'Звук',
    price: '20 EUR',
    availability: 'backorder',
  });
  const gone = feedRow({ id: 'gone', title: 'Sold Out Thing', google_product_category: '2092', price: '5 EUR' });

  await gateway.importRows('Gamma', [gone], { observedAt: daysAgo(40), merchantUrl: 'https://gamma.example' });
  await gateway.importRows('Alpha', [echo, mini, thunder, klang], { observedAt: daysAgo(30) });
  await gateway.importRows('Beta', [{ ...echo, price: '60 EUR', shipping: 'DE:::5.00 EUR' }, thunder, duo], {
    observedAt: daysAgo(20),
  });
  await gateway.importRows('Gamma', [], { observedAt: daysAgo(15), isForced: true });
  await gateway.importRows('Beta', [{ ...echo, price: '45 EUR', shipping: 'DE:::5.00 EUR' }, thunder, duo], {
    observedAt: daysAgo(10),
  });
}

/** The names of a list's items. */
export const namesOf = (body: { data: { name: string }[] }): string[] => body.data.map(({ name }) => name);
