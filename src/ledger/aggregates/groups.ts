/** The groups that have figures: brands, categories with all below them, and merchants. */
import type { PriceGroup } from '../../generated/prisma/enums.ts';

export type GroupKind = PriceGroup;

/** A group as a key of a map. */
export const groupKey = (kind: GroupKind, id: bigint): string => `${kind} ${id}`;

/** The group of a key. */
export function groupOf(key: string): { kind: GroupKind; id: bigint } {
  const [kind, id] = key.split(' ');
  return { kind: kind as GroupKind, id: BigInt(id ?? '') };
}
