/** Random changes of a catalogue: new, changed, moved and withdrawn offers, detached identifiers, filled fields, renamed categories. */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/database/database.ts';
import { detachIdentifier } from '../../src/import/detach-identifier.ts';
import { DetachRefused } from '../../src/import/identifier-binding.ts';
import { importTaxonomy } from '../../src/import/taxonomy.ts';
import { checkDigit } from '../../src/values/gtin.ts';
import { type FeedRowFields, feedRow } from './gateway.ts';

/** Reproducible random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A feed of a shop. */
export interface RandomFeed {
  merchant: string;
  rows: FeedRowFields[];
  mode: 'full' | 'delta';
}

const SHOPS = ['Alpha', 'Beta', 'Gamma'];
const PRODUCTS = 30;
const ITEMS = 40;
const gtinOf = (n: number) => {
  const body = `400638133${String(n).padStart(3, '0')}`;
  return `${body}${checkDigit(body)}`;
};
const asinOf = (n: number) => `B0RANDOM${String(n).padStart(2, '0')}`;

export function openRandomCatalogue(random: () => number) {
  const whole = (below: number) => Math.floor(random() * below);
  const one = <Item>(items: readonly Item[]): Item => items[whole(items.length)] as Item;
  const maybe = (chance: number) => random() < chance;
  const listed = new Map(SHOPS.map((shop) => [shop, new Map<string, FeedRowFields>()]));
  let renamed = 0;

  const row = (id: string): FeedRowFields => {
    const product = whole(PRODUCTS);
    return feedRow({
      id,
      title: `Thing ${product}`,
      price: `${1 + whole(200)}.${10 + whole(90)} EUR`,
      availability: one(['in_stock', 'in_stock', 'out_of_stock', 'preorder', 'backorder']),
      condition: one(['new', 'new', 'used', 'refurbished']),
      link: `https://shop.example/${id}?v=${whole(3)}`,
      ...(maybe(0.4) && { shipping: `DE:::${whole(9)}.90 EUR` }),
      ...(maybe(0.6) && { gtin: gtinOf(product) }),
      ...(maybe(0.3) && { asin: asinOf(product) }),
      ...(maybe(0.4) && { brand: `Brand ${product % 5}` }),
      ...(maybe(0.3) && { description: `Described ${whole(3)}.` }),
      ...(maybe(0.3) && { color: one(['Red', 'Blue']) }),
      ...(maybe(0.4) && { item_group_id: String(whole(4)) }),
      ...(maybe(0.4) && { unit_pricing_measure: one(['500 g', '1 kg', '750 ml', '6 ct', 'some']) }),
      ...(maybe(0.5) && { google_product_category: String(one([1, 2, 3])) }),
    });
  };

  return {
    /** The next feed. */
    feed(): RandomFeed {
      const merchant = one(SHOPS);
      const offers = listed.get(merchant) ?? new Map<string, FeedRowFields>();
      const changed = Array.from({ length: 1 + whole(10) }, () => row(String(whole(ITEMS))));
      for (const each of changed) offers.set(String(each.id), each);
      if (!maybe(0.3)) return { merchant, rows: changed, mode: 'delta' };
      for (const id of offers.keys()) if (maybe(0.2)) offers.delete(id);
      return { merchant, rows: [...offers.values()], mode: 'full' };
    },
    /** Changes the catalogue in a way that is no feed. */
    async administer(database: Database): Promise<void> {
      if (maybe(0.4)) {
        renamed += 1;
        return renameCategories(database, renamed);
      }
      const bound = await database.query<{ kind: 'gtin' | 'asin'; value: string }>(
        'SELECT kind, value FROM product_identifier ORDER BY id',
      );
      if (bound.length === 0) return;
      await detachIdentifier(database, { identifier: one(bound) }).catch((error: unknown) => {
        if (!(error instanceof DetachRefused)) throw error;
      });
    },
    maybe,
  };
}

/** Imports a taxonomy in which one category has a new name. */
export async function renameCategories(database: Database, time: number): Promise<void> {
  const file = join(tmpdir(), `pda-taxonomy-${randomBytes(6).toString('hex')}.txt`);
  writeFileSync(file, `1 - Goods\n2 - Goods > Lamps\n3 - Goods > Things ${time}\n`);
  try {
    await importTaxonomy(database, file);
  } finally {
    rmSync(file);
  }
}
