/** The approximate width of a text in a common wide font, because a server has no font to measure. */
export function textWidth(text: string, fontSize: number): number {
  let ems = 0;
  for (const character of text) {
    // Ideographs and emoji.
    if (character > '\u2e7f') ems += 1.1;
    else if (/[ .,:;'|!()ijlftrI]/.test(character)) ems += 0.35;
    else ems += /[A-Zmw@%&]/.test(character) ? 0.8 : 0.6;
  }
  return ems * fontSize;
}

/** The part of a text that fits into a line, with an ellipsis if it was cut. */
export function shorten(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  let line = '';
  for (const character of text) {
    if (textWidth(`${line}${character}…`, fontSize) > width) break;
    line += character;
  }
  return `${line.trimEnd()}…`;
}
