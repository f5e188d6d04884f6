/** Former keys: those that a rotation has replaced. Until their grace period ends, they go on to read, and change nothing. */
import { Problem } from '../problem.ts';

/** The refusal of a change by a former key, which may be in a stranger's hands. */
export const formerKeyRefused = (): Problem =>
  new Problem(
    'former_key_refused',
    'A rotation has replaced this key, so it can only read until it ends: send the newest one. If you do not have it, ask the operator to rotate the key again.',
  );
