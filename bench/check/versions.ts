/** The two versions that the check compares. */
import type { BenchCatalogue } from '../catalogue.ts';
import type { Pair, Row, Sample } from './verdict.ts';

export interface Version {
  name: keyof Pair;
  /** Where it is built. */
  folder: string;
  catalogue: BenchCatalogue;
}

/** The versions in the order of their turns. */
export type Order = readonly [Version, Version];

/** Takes a sample of a version for a row. */
export type Take = (row: { name: string; unit: string }, version: Version, sample: Sample) => void;

/**
 * The turns of both versions: A B B A and so on. Each is compared with its neighbour, so that a machine that slows down or speeds up
 * affects both equally.
 */
export const turns = ([first, second]: Order, pairs: number): Version[] =>
  Array.from({ length: pairs }, (_, n) => (n % 2 === 0 ? [first, second] : [second, first])).flat();

/** Collects samples into rows. Two samples in succession, of one version each, are a pair. */
export class Rows {
  readonly #rows = new Map<string, Row & { pairs: Pair[] }>();
  readonly #waiting = new Map<string, Partial<Pair>>();

  /** @throws if a version is measured twice in succession within a pair. */
  readonly take: Take = ({ name, unit }, version, sample) => {
    const pair = this.#waiting.get(name) ?? {};
    if (pair[version.name]) throw new Error(`${name}: the ${version.name} version had two turns in one pair.`);
    pair[version.name] = sample;
    this.#waiting.set(name, pair);
    const { recorded, present } = pair;
    if (!recorded || !present) return;
    this.#waiting.delete(name);
    const row = this.#rows.get(name) ?? { name, unit, pairs: [] };
    row.pairs.push({ recorded, present });
    this.#rows.set(name, row);
  };

  /** All rows, in the order of their first pairs. */
  list(): Row[] {
    return [...this.#rows.values()];
  }
}
