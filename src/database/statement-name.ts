/** Names statements by verb and table (`SELECT offer`, `INSERT usage_counter`), so that the number of names stays small. */
import { LRUCache } from 'lru-cache';

const WRITES = /\b(INSERT)\s+INTO\s+|\b(UPDATE)\s+(?:ONLY\s+)?|\b(DELETE)\s+FROM\s+(?:ONLY\s+)?/gi;
const TABLE = /(?:"?public"?\.)?"?([a-z_]\w*)/iy;
const READ = /\bFROM\s+(?:ONLY\s+)?(?:"?public"?\.)?"?(?!unnest\b|jsonb_|generate_series\b)([a-z_]\w*)\b"?(?!\s*\()/gi;
// The names of common table expressions are not tables.
const PARTS = /(?:\bWITH(?:\s+RECURSIVE)?|,)\s+"?(\w+)"?(?:\s*\([^()]*\))?\s+AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(/gi;
// Each import has its own staging table, whose name ends in a time and random digits.
const OWN_OF_A_RUN = /(_\d+)?_[0-9a-f]{6,}$/;

const MOST_NAMES = 200;

/** Creates the naming function, which returns at most two hundred names and then `other`. */
export function openStatementNames(): (sql: string) => string {
  const names = new LRUCache<string, string>({ max: 1_000 });
  const given = new Set<string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    const found = describe(sql);
    const name = given.has(found) || given.size < MOST_NAMES ? found : 'other';
    given.add(name);
    names.set(sql, name);
    return name;
  };
}

function describe(sql: string): string {
  for (const { 0: all, 1: insert, 2: update, 3: remove, index } of sql.matchAll(WRITES)) {
    TABLE.lastIndex = index + all.length;
    const table = TABLE.exec(sql)?.[1];
    // `ON CONFLICT DO UPDATE SET` and `FOR UPDATE OF` are not followed by a table to write to.
    if (!table || /^(set|of|skip|nowait)$/i.test(table)) continue;
    return `${(insert ?? update ?? remove ?? '').toUpperCase()} ${shorten(table)}`;
  }
  const verb = /^\W*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? 'other';
  if (verb !== 'SELECT' && verb !== 'WITH') return verb;
  const parts = new Set(Array.from(sql.matchAll(PARTS), ([, part]) => part));
  for (const [, table = ''] of sql.matchAll(READ)) if (!parts.has(table)) return `SELECT ${shorten(table)}`;
  return 'SELECT';
}

const shorten = (table: string) => table.toLowerCase().replace(OWN_OF_A_RUN, '');
