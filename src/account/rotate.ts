/** The rotation of a key by its holder: the same function as `pda keys rotate`, with limits. */

import { type IssuedKey, KeyRefused, rotateKey, TooManyRotations } from '../access/key-admin.ts';
import { MOST_GRACE_HOURS } from '../access/key-terms.ts';
import type { AccessKey } from '../access/keys.ts';
import { invalid } from '../catalogue/arguments.ts';
import type { Database } from '../database/database.ts';
import { Problem } from '../problem.ts';
import { encodeId } from '../values/id.ts';

/** How long the former keys work by default. */
export const DEFAULT_GRACE_HOURS = 24;

/** The most secrets of a key that may work at the same time after a rotation by its holder. */
export const MOST_WORKING = 5;
/** The most secrets that a holder may give a key in 24 hours, its first one included. */
export const MOST_A_DAY = 10;

/** The actor of these rotations in the audit log. */
const ACTOR = 'key holder';

export interface RotatedKey extends IssuedKey {
  /** When the former secrets of the key stop working, at the latest. */
  formerKeysEnd: Date;
}

/**
 * Gives a key a new secret at the wish of its holder.
 * @throws {Problem} `invalid_parameter`; `too_many_rotations` beyond the limits; `former_key_refused` if another secret has replaced this one;
 *   `invalid_api_key` if the key was revoked, or its secret has ended, meanwhile.
 */
export async function rotateOwnKey(
  database: Database,
  { id, secretId }: Pick<AccessKey, 'id' | 'secretId'>,
  graceHours: number = DEFAULT_GRACE_HOURS,
): Promise<RotatedKey> {
  if (!(graceHours >= 0 && graceHours <= MOST_GRACE_HOURS))
    throw invalid('graceHours', `\`graceHours\` must be 0 to ${MOST_GRACE_HOURS}: send a number of hours.`);
  const limits = { working: MOST_WORKING, perDay: MOST_A_DAY };
  try {
    const issued = await rotateKey(database, encodeId('key', id), graceHours, { actor: ACTOR, limits, secretId });
    return { ...issued, formerKeysEnd: new Date(Date.now() + graceHours * 3_600_000) };
  } catch (error) {
    if (error instanceof TooManyRotations) throw new Problem('too_many_rotations', DETAILS[error.limit]);
    if (error instanceof KeyRefused) throw new Problem('invalid_api_key', error.message);
    throw error;
  }
}

const DETAILS: Record<TooManyRotations['limit'], string> = {
  working: `${MOST_WORKING} texts of this key work, the present one included, and no more may: send \`graceHours\` 0 to end them now, or wait until one ends.`,
  perDay: `The key was rotated as often as it may be in 24 hours, so that it has had ${MOST_A_DAY} secrets: use the newest one, or try again tomorrow.`,
};
