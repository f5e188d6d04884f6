/** Slugs: names in URLs, of lower-case ASCII letters, digits and single hyphens. */
import anyAscii from 'any-ascii';

const LONGEST = 80;

/** The slug of a name in any script; `fallback` if the name has no ASCII transliteration. */
export function slugOf(name: string, fallback: string): string {
  const slug = anyAscii(name)
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (slug.length <= LONGEST) return slug || fallback;
  const cut = slug.slice(0, LONGEST + 1);
  return cut.slice(0, Math.max(cut.lastIndexOf('-'), LONGEST / 2)).replace(/-$/, '');
}

/** Whether the text could be a slug. Other texts need no lookup. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9-]{1,200}$/.test(text);
}
