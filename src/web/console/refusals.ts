/** Turns the refusals of administration, which the command line prints, into problems for a page. */
import { KeyNotFound, KeyRefused } from '../../access/key-admin.ts';
import { sqlStateOf } from '../../database/database.ts';
import { asProblem } from '../../operations/faults.ts';
import { Problem } from '../../problem.ts';

type Refusal = new (...values: never[]) => Error;

const NOT_FOUND: readonly Refusal[] = [KeyNotFound];
const REFUSED: readonly Refusal[] = [KeyRefused];

const RIGHTS_MISSING =
  'The database role of the server lacks the rights for this, so nothing was changed: use the command line, or give the role this duty with `pda roles`.';

/** The problem to show to an operator. */
export function problemFor(error: unknown): Problem {
  const isOne = (refusals: readonly Refusal[]) => refusals.some((refusal) => error instanceof refusal);
  if (isOne(NOT_FOUND)) return new Problem('not_found', (error as Error).message, { cause: error });
  if (isOne(REFUSED)) return new Problem('invalid_parameter', (error as Error).message, { cause: error });
  // SQLSTATE 42501, insufficient_privilege: the server's role lacks this duty.
  if (sqlStateOf(error) === '42501') return new Problem('internal_error', RIGHTS_MISSING, { cause: error });
  return asProblem(error);
}
