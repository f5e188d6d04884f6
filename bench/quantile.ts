/** The value below which a share of a sample lies, such as 0.95. */
export function quantile(sample: readonly number[], share: number): number {
  const sorted = [...sample].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The median of a sample. */
export const median = (sample: readonly number[]): number => quantile(sample, 0.5);
