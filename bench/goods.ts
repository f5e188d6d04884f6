/** Products for benchmarks: with real names if the shared data is available, otherwise with generated ones. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { checkDigit } from '../src/values/gtin.ts';
import { sharedFile } from '../test/harness/shared-file.ts';

/** Yields `count` products with distinct GTINs. */
export async function* goods(count: number): AsyncGenerator<{ gtin: string; name: string; brand: string }> {
  let made = 0;
  const names = sharedFile('products-1m.tsv.gz');
  if (names !== undefined) {
    for await (const line of createInterface({ input: createReadStream(names).pipe(createGunzip()) })) {
      if (made === count) return;
      const [gtin = '', name = '', brand = ''] = line.split('\t');
      if (!/^\d{14}$/.test(gtin)) continue;
      made += 1;
      yield { gtin, name: name.slice(0, 500), brand };
    }
  }
  for (; made < count; made += 1) {
    const body = `40${String(made).padStart(10, '0')}`;
    yield { gtin: body + checkDigit(body), name: `Thing number ${made} of its kind`, brand: `Brand ${made % 5_000}` };
  }
}
