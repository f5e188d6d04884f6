/** The changes of the catalogue that a process has seen: caches evict what they affect, and refuse to store what they have overtaken. */

/** Evicts the entries that depend on one of the tags; all entries without tags. */
export type Evict = (tags: readonly string[] | undefined) => void;

export interface Changes {
  /** A number that grows with each change. Work that starts now sees the data of this change or a later one. */
  readonly seen: number;
  /** Whether one of the tags may have been affected since {@link seen} had this value. */
  hasChanged(tags: readonly string[], since: number): boolean;
  /** Calls `evict` for each later change. */
  watch(evict: Evict): void;
  /** Announces a change of everything with these tags; of the whole catalogue without them. */
  announce(tags: readonly string[] | undefined): void;
}

// The tags of thousands of changes, about 5 MB. Work that started before the oldest of them is not stored.
const MOST_REMEMBERED = 50_000;

/** Opens the list of changes. @param most how many tags are remembered. */
export function openChanges(most = MOST_REMEMBERED): Changes {
  const watching: Evict[] = [];
  // In the order of their latest changes.
  const changedAt = new Map<string, number>();
  let seen = 0;
  let unknownUntil = 0;

  const remember = (tag: string) => {
    changedAt.delete(tag);
    changedAt.set(tag, seen);
  };
  const forgetOldest = () => {
    for (const [tag, at] of changedAt) {
      if (changedAt.size <= most) return;
      changedAt.delete(tag);
      unknownUntil = at;
    }
  };
  return {
    get seen() {
      return seen;
    },
    hasChanged: (tags, since) => since < unknownUntil || tags.some((tag) => (changedAt.get(tag) ?? 0) > since),
    watch(evict) {
      watching.push(evict);
    },
    announce(tags) {
      seen += 1;
      if (tags) {
        tags.forEach(remember);
        forgetOldest();
      } else {
        changedAt.clear();
        unknownUntil = seen;
      }
      for (const evict of watching) evict(tags);
    },
  };
}
