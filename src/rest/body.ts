/** Turns a GraphQL result into a REST body, without null and internal members. */

const UNDERSCORE = 95;

/**
 * The value as clients get it. Members that are null are left out (decisions §1), except those named in `nullable`. Members whose
 * names start with `_` are internal and left out too.
 */
export function asBody(value: unknown, nullable: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => asBody(item, nullable));
  if (typeof value !== 'object' || value === null) return value;
  const body: Record<string, unknown> = {};
  for (const name in value) {
    if (name.charCodeAt(0) === UNDERSCORE) continue;
    const member = (value as Record<string, unknown>)[name];
    if (member === null ? nullable.includes(name) : member !== undefined) body[name] = asBody(member, nullable);
  }
  return body;
}
