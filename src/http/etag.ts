/** Entity tags: tell whether the client already has this answer (RFC 9110 §8.8 and §13.1). */
import { hash } from 'node:crypto';

/** A weak tag, since the same body may be sent in several encodings (RFC 9110 §8.8.1). */
export function etagOf(body: string): string {
  return `W/"${hash('sha1', body, 'base64url')}"`;
}

/** True when `If-None-Match` names the tag, by weak comparison (RFC 9110 §13.1.2). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((candidate) => {
    const tag = candidate.trim();
    return tag === '*' || tag.replace(/^W\//, '') === opaque;
  });
}
