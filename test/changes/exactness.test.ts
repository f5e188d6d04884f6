/**
 * Exports and changes are exact: an export that was taken while feeds were imported, brought up to date with the changes that follow its
 * cursor, equals any other export. `SEED` repeats the changes of a failed run.
 */
import { expect, test } from 'vitest';
import { type Exported, exported } from '../harness/exports.ts';
import { startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { openRandomCatalogue, randomFrom, renameCategories } from '../harness/random-catalogue.ts';
import { type Copy, copyOf, replay } from '../harness/replay.ts';

const SEED = Number(process.env.SEED ?? 4_711);
const ROUNDS = 18;
const EXPORT_EVERY = 6;
const KINDS = ['offers', 'products'] as const;

const gateway = await forFile(startTestGateway());
const { key } = await gateway.makeKey('enterprise');
await renameCategories(gateway.database, 0);

test(`exports that are brought up to date are equal (SEED=${SEED})`, async () => {
  const catalogue = openRandomCatalogue(randomFrom(SEED));
  const change = async () => {
    if (catalogue.maybe(0.2)) return catalogue.administer(gateway.database);
    const { merchant, rows, mode } = catalogue.feed();
    await gateway.importRows(merchant, rows, { mode, isForced: true });
  };
  const taken: { kind: keyof Copy; round: number; export: Exported }[] = [];

  for (let round = 1; round <= ROUNDS; round += 1) {
    await change();
    if (round % EXPORT_EVERY !== 0) continue;
    for (const kind of KINDS) {
      // The catalogue changes while the export is read.
      const [whole] = await Promise.all([exported(gateway, kind, { key }), change()]);
      const half = whole.lines[Math.floor(whole.lines.length / 2)];
      await change();
      // The second half is read again, later, as by a client that resumes.
      const rest = await exported(gateway, `${kind}?after=${half.id}&cursor=${whole.end.cursor}`, { key });
      const lines = [...whole.lines.slice(0, whole.lines.indexOf(half) + 1), ...rest.lines];
      taken.push({ kind, round, export: { ...whole, lines } });
    }
  }

  const last = {
    offers: await exported(gateway, 'offers', { key }),
    products: await exported(gateway, 'products', { key }),
  };
  expect(last.offers.lines.length).toBeGreaterThan(20);
  expect(last.products.lines.length).toBeGreaterThan(20);
  const source = { address: gateway.address, key };
  let behind = 0;
  for (const { kind, round, export: each } of taken) {
    const copy = copyOf(each.lines);
    if (JSON.stringify(sorted(copy)) !== JSON.stringify(sorted(copyOf(last[kind].lines)))) behind += 1;
    await replay(copy, kind, each.end.cursor, source);
    expect([kind, round, ...sorted(copy)]).toEqual([kind, round, ...sorted(copyOf(last[kind].lines))]);
  }
  // Most exports were out of date before.
  expect(behind).toBeGreaterThan(taken.length / 2);
});

const sorted = (copy: Copy['offers']) => [...copy.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
