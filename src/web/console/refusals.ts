/** Turns the refusals of administration, which the command line prints, into problems for a page. */
import { KeyNotFound, KeyRefused } from '../../access/key-admin.ts';
import { asProblem } from '../../operations/faults.ts';
import { Problem } from '../../problem.ts';

type Refusal = new (...values: never[]) => Error;

const NOT_FOUND: readonly Refusal[] = [KeyNotFound];
const REFUSED: readonly Refusal[] = [KeyRefused];

/** The problem to show to an operator. */
export function problemFor(error: unknown): Problem {
  const isOne = (refusals: readonly Refusal[]) => refusals.some((refusal) => error instanceof refusal);
  if (isOne(NOT_FOUND)) return new Problem('not_found', (error as Error).message, { cause: error });
  if (isOne(REFUSED)) return new Problem('invalid_parameter', (error as Error).message, { cause: error });
  return asProblem(error);
}
