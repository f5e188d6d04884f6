/** Refuses invalid arguments of fields. */
import { Problem } from '../problem.ts';

/** The problem with an argument. @param detail what is wrong, then what to do. */
export const invalid = (parameter: string, detail: string): Problem =>
  new Problem('invalid_parameter', detail, { parameter });

/** @throws {Problem} `invalid_parameter` if the number is given and not from 1 to `most`. */
export function requireUpTo(most: number, parameter: string, number: number | null | undefined): void {
  if (number != null && (number < 1 || number > most))
    throw invalid(parameter, `\`${parameter}\` must be 1 to ${most}.`);
}
