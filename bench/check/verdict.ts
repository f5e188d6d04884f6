/** From the measured pairs of each row to a table and a verdict. */
import Table from 'cli-table3';
import { median } from '../quantile.ts';

/** A row falls short if a median ratio is below this. */
export const LIMIT = 0.9;

/** The work of one version in one turn: `count` requests, offers or starts. */
export interface Sample {
  count: number;
  seconds: number;
  /** The CPU time of all processes that did the work; undefined where that is not known. */
  cpuSeconds: number | undefined;
}

/** Several samples as one. */
export const sumOf = (samples: readonly Sample[]): Sample =>
  samples.reduce((sum, { count, seconds, cpuSeconds }) => ({
    count: sum.count + count,
    seconds: sum.seconds + seconds,
    cpuSeconds: sum.cpuSeconds === undefined || cpuSeconds === undefined ? undefined : sum.cpuSeconds + cpuSeconds,
  }));

/** Two adjacent turns, one of each version. */
export interface Pair {
  recorded: Sample;
  present: Sample;
}

export interface Row {
  name: string;
  unit: string;
  pairs: readonly Pair[];
}

export interface Judged {
  name: string;
  unit: string;
  /** The median speeds, per second. */
  recorded: number;
  present: number;
  /** The median over all pairs of present to recorded. */
  ratio: number;
  /** The same for the work per CPU second; undefined without CPU times. */
  cpuRatio: number | undefined;
  isShort: boolean;
}

const speed = ({ count, seconds }: Sample) => count / seconds;
const thrift = ({ count, cpuSeconds }: Sample) => (cpuSeconds ? count / cpuSeconds : undefined);

/**
 * Judges a row by two ratios, both of which must fall short. Two processes of the same version differ by up to a quarter in speed,
 * and other work on a shared machine slows one of them for seconds, so speed alone would often fail without a reason. The work per
 * CPU second is steadier, but a machine that changes its clock disturbs it. Without CPU times, speed decides.
 */
export function judge({ name, unit, pairs }: Row): Judged {
  if (pairs.length === 0) throw new Error(`${name} was not measured.`);
  const ratio = median(pairs.map(({ recorded, present }) => speed(present) / speed(recorded)));
  const ofCpu = pairs.flatMap(({ recorded, present }) => {
    const [before, after] = [thrift(recorded), thrift(present)];
    return before === undefined || after === undefined ? [] : [after / before];
  });
  const cpuRatio = ofCpu.length === 0 ? undefined : median(ofCpu);
  return {
    name,
    unit,
    recorded: median(pairs.map(({ recorded }) => speed(recorded))),
    present: median(pairs.map(({ present }) => speed(present))),
    ratio,
    cpuRatio,
    // A ratio that is not a number, of a sample without any work, falls short too.
    isShort: !(ratio >= LIMIT || (cpuRatio ?? 0) >= LIMIT),
  };
}

/** The table of all rows. */
export function renderTable(rows: readonly Judged[]): string {
  const table = new Table({
    head: ['', 'recorded', 'present', 'ratio', 'per CPU second', 'limit', ''],
    colAligns: ['left', 'right', 'right', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, unit, recorded, present, ratio, cpuRatio, isShort } of rows) {
    const speeds = [recorded, present].map((each) => `${each < 100 ? each.toFixed(2) : Math.round(each)} ${unit}`);
    table.push([
      name,
      ...speeds,
      show(ratio),
      cpuRatio === undefined ? '–' : show(cpuRatio),
      LIMIT,
      isShort ? 'short' : 'ok',
    ]);
  }
  return table.toString();
}

/** The ratios of rows in one line. */
export const summarize = (rows: readonly Row[]): string =>
  rows
    .map(judge)
    .map(({ name, ratio, cpuRatio }) => [name, ratio.toFixed(2), cpuRatio?.toFixed(2) ?? ''].join(' ').trim())
    .join('; ');

/** One line about all rows. */
export function conclude(rows: readonly Judged[], commit: string): string {
  const short = rows.filter(({ isShort }) => isShort).map(({ name }) => name);
  const against = `the recorded commit ${commit.slice(0, 10)}`;
  return short.length === 0
    ? `Passed: no row is slower than ${LIMIT} × ${against}.`
    : `Failed: ${short.length} of ${rows.length} rows are slower than ${LIMIT} × ${against}: ${short.join('; ')}.`;
}

const show = (ratio: number) => `${ratio.toFixed(2)} ×`;
