/** Reads an SVG picture with an XML parser. */
import { SaxesParser } from 'saxes';

export interface ReadSvg {
  /** The attributes of the root element. */
  root: Record<string, string>;
  /** The texts by the name of their element. */
  texts: Record<string, string[]>;
  /** The elements without their texts, in document order. */
  elements: { name: string; attributes: Record<string, string> }[];
}

/** Reads a picture. It throws if the picture is not well-formed XML. */
export function readSvg(svg: string): ReadSvg {
  const parser = new SaxesParser();
  const elements: ReadSvg['elements'] = [];
  const texts: ReadSvg['texts'] = {};
  const path: string[] = [];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    elements.push({ name, attributes });
    path.push(name);
  });
  parser.on('text', (text) => {
    const name = path.at(-1) ?? '';
    if (text.trim() !== '') texts[name] = [...(texts[name] ?? []), text.trim()];
  });
  parser.on('closetag', () => void path.pop());
  parser.write(svg).close();
  return { root: elements[0]?.attributes ?? {}, texts, elements };
}
