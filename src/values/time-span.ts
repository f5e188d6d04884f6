/** A time span in milliseconds of the epoch, from `from` (inclusive) until `until` (exclusive). */
export interface TimeSpan {
  from: number;
  until: number;
}
