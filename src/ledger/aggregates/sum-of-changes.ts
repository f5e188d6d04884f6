/** Sums what several products change, so that each row is written once. */
import { groupKey } from './groups.ts';
import { difference, type IndexDays, partOf } from './index-days.ts';
import type { Parts } from './parts.ts';
import type { Standing } from './standings.ts';

/** Changes of the counts of a merchant in a group. */
export interface StandingSum {
  products: number;
  cheapest: number;
  alone: number;
  outOfStock: number;
  /** Numbers of products by the class of their distance. */
  distances: Map<number, number>;
}

/** Changes by the key of the group, and those of standings by the merchant too. */
export interface Sums {
  index: Map<string, IndexDays>;
  standings: Map<string, Map<bigint, StandingSum>>;
}

const NOTHING: Parts = { groups: [], index: { ofProduct: new Map(), byMerchant: new Map() }, standings: new Map() };
const NO_DAYS: IndexDays = new Map();

/** The sum of the changes of products. @param changes what each product added before, if it did, and what it adds now. */
export function sumOfChanges(changes: readonly { before: Parts | undefined; after: Parts }[]): Sums {
  const sums: Sums = { index: new Map(), standings: new Map() };
  for (const { before = NOTHING, after } of changes) {
    sumIndex(sums, before, after);
    for (const group of before.groups) sumStandings(sums, group, before.standings, -1);
    for (const group of after.groups) sumStandings(sums, group, after.standings, 1);
  }
  return sums;
}

function sumIndex({ index }: Sums, before: Parts, after: Parts): void {
  const change = difference(before.index.ofProduct, after.index.ofProduct);
  for (const group of new Set([...before.groups, ...after.groups])) {
    if (!before.groups.includes(group)) addDays(index, group, after.index.ofProduct);
    else if (!after.groups.includes(group)) addDays(index, group, difference(before.index.ofProduct, NO_DAYS));
    else addDays(index, group, change);
  }
  for (const id of new Set([...before.index.byMerchant.keys(), ...after.index.byMerchant.keys()])) {
    const [were, are] = [before, after].map(({ index: { byMerchant } }) => byMerchant.get(id) ?? NO_DAYS);
    addDays(index, groupKey('merchant', id), difference(were ?? NO_DAYS, are ?? NO_DAYS));
  }
}

function addDays(index: Sums['index'], group: string, days: IndexDays): void {
  const sums = index.get(group) ?? new Map();
  index.set(group, sums);
  for (const [day, { logSum, matched, products }] of days) {
    const part = partOf(sums, day);
    part.logSum += logSum;
    part.matched += matched;
    part.products += products;
  }
}

function sumStandings(
  { standings }: Sums,
  group: string,
  ofProduct: ReadonlyMap<bigint, Standing>,
  sign: 1 | -1,
): void {
  const sums = standings.get(group) ?? new Map<bigint, StandingSum>();
  standings.set(group, sums);
  for (const [merchantId, { products, cheapest, alone, outOfStock, distance }] of ofProduct) {
    const sum = sums.get(merchantId) ?? { products: 0, cheapest: 0, alone: 0, outOfStock: 0, distances: new Map() };
    sums.set(merchantId, sum);
    sum.products += sign * products;
    sum.cheapest += sign * cheapest;
    sum.alone += sign * alone;
    sum.outOfStock += sign * outOfStock;
    if (distance !== undefined) sum.distances.set(distance, (sum.distances.get(distance) ?? 0) + sign);
  }
}
