/** Feeds of benchmark products in the format of shops. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { goods } from './goods.ts';

/** The price of a product at a shop: spread widely, and different from the prices of other shops. */
export const centsOf = (shop: number, index: number): number => 100 + ((index * (7_919 + shop * 96_810)) % 99_900);

export interface FeedVariant {
  /** The number of products before those in the feed. */
  skip?: number;
  /** Another number stands for other prices of the same offers. */
  revision?: number;
}

/** Writes a shop's feed of `count` products as TSV, by default of the first ones. @returns their GTINs. */
export async function writeFeed(
  path: string,
  count: number,
  shop: number,
  { skip = 0, revision = 0 }: FeedVariant = {},
): Promise<string[]> {
  const file = createWriteStream(path);
  file.write('id\ttitle\tdescription\tlink\timage_link\tprice\tavailability\tbrand\tgtin\tmpn\tshipping\n');
  const gtins: string[] = [];
  let index = 0;
  for await (const { gtin, name, brand } of goods(skip + count)) {
    index += 1;
    if (index <= skip) continue;
    gtins.push(gtin);
    const row = [
      `sku-${index}`,
      name,
      `${name} by ${brand}, described in a sentence or two, as shops do.`,
      `https://shop-${shop}.example/p/${index}`,
      `https://images.example/${index}.jpg`,
      `${(centsOf(shop, index + revision) / 100).toFixed(2)} EUR`,
      'in stock',
      brand,
      gtin,
      `M-${index}`,
      'DE::Standard:4.90 EUR',
    ];
    if (!file.write(`${row.join('\t')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  return gtins;
}
