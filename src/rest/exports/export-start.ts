/** Where an export starts: the position in the stream of changes from which they complete it. */
import type { FollowedVersion } from '../../catalogue/version.ts';
import type { Queryable } from '../../database/database.ts';
import { decodeChangesCursor, encodeChangesCursor } from '../../ledger/changes/changes-cursor.ts';
import { readExtent } from '../../ledger/changes/read-changes.ts';
import { Problem } from '../../problem.ts';

/**
 * The cursor of an export: its position must be read before the first page. From then on, reads of the catalogue see at least that position,
 * also on replicas.
 *
 * @param database the primary.
 * @param given the cursor of the export that is resumed, which stays the same.
 * @throws {Problem} `invalid_parameter` for a damaged cursor; `cursor_expired` if changes after it were deleted.
 */
export async function startCursor(
  database: Queryable,
  version: Pick<FollowedVersion, 'catchUp'>,
  given?: string,
): Promise<string> {
  const seq = given === undefined ? undefined : decodeChangesCursor(given);
  if (given !== undefined && seq === undefined) throw damaged();
  const { head, forgotten } = await readExtent(database);
  // Each change raises the version in its transaction, so this version includes all changes up to the head.
  await version.catchUp();
  if (seq === undefined) return encodeChangesCursor(head);
  // A cursor of the future is from before the restore of a backup.
  if (seq < forgotten || seq > head) throw expired();
  return encodeChangesCursor(seq);
}

const damaged = () =>
  new Problem('invalid_parameter', 'The cursor is damaged or not one of changes: send `Changes-Cursor` unchanged.', {
    parameter: 'cursor',
  });

const expired = () =>
  new Problem(
    'cursor_expired',
    'The service no longer has the changes after the cursor of this export, or never had them, so it could not be completed: start a new export, without `after` and `cursor`.',
    { parameter: 'cursor' },
  );
