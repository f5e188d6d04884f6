/**
 * Counts the characters that functions of texts and patterns look at, and the places of lists: how much work it is to read a text, whatever
 * else the machine does. To join texts and to read them by an index counts nothing, but to search a text again after each addition does.
 */

type Text = string | RegExp;
type Count = (this: string, result: unknown, ...given: unknown[]) => number;

const whole: Count = function () {
  return this.length;
};
const found: Count = function (result, _, from) {
  return (Number(result) < 0 ? this.length : Number(result)) - (typeof from === 'number' ? from : 0) + 1;
};
// Functions that take a pattern count through `exec`.
const unlessPattern: Count = function (_, pattern) {
  return (pattern as Text) instanceof RegExp ? 0 : this.length;
};
const one: Count = () => 1;

const COUNTS = {
  indexOf: found,
  lastIndexOf: whole,
  includes: whole,
  slice: (result) => String(result).length,
  split: unlessPattern,
  replaceAll: unlessPattern,
  trim: whole,
  trimStart: whole,
  charCodeAt: one,
  codePointAt: one,
} satisfies Record<string, Count>;

/** The number of characters that `work` looks at. */
export async function charactersRead(work: () => unknown): Promise<number> {
  let count = 0;
  const texts = String.prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
  const restore: (() => void)[] = [];
  for (const [name, countOf] of Object.entries<Count>(COUNTS)) {
    const original = texts[name] as (...given: unknown[]) => unknown;
    texts[name] = function (this: string, ...given) {
      const result = original.apply(this, given);
      count += countOf.call(this, result, ...given);
      return result;
    };
    restore.push(() => {
      texts[name] = original;
    });
  }
  const { indexOf, join } = Array.prototype;
  Array.prototype.indexOf = function (...given) {
    const index = indexOf.apply(this, given);
    count += index < 0 ? this.length : index + 1;
    return index;
  };
  Array.prototype.join = function (...given) {
    const joined = join.apply(this, given);
    count += joined.length;
    return joined;
  };
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    if (match) count += match.index + match[0].length - from;
    else count += this.sticky ? 1 : text.length - from;
    return match;
  };
  try {
    await work();
    return count;
  } finally {
    RegExp.prototype.exec = exec;
    Object.assign(Array.prototype, { indexOf, join });
    for (const each of restore) each();
  }
}
