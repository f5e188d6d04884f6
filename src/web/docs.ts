/** The Markdown files of the package's docs folder: `/docs/<name>.md` for everybody, and `/docs/<name>` for who asks for no HTML. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer, Handler } from '../http/exchange.ts';
import { packageRoot } from '../package-root.ts';

/** One file of the documentation. */
export interface Doc {
  /** The file's name without its ending, and the last part of its address. */
  name: string;
  /** What the menu says. */
  title: string;
}

/** The documentation by who reads it, in the order that the menu has. */
export const DOCS: readonly { readers: string; docs: readonly Doc[] }[] = [
  {
    readers: 'Use the API',
    docs: [
      { name: 'api', title: 'Guide' },
      { name: 'errors', title: 'Errors' },
      { name: 'agents', title: 'Agents' },
    ],
  },
  {
    readers: 'Run the service',
    docs: [
      { name: 'importing', title: 'Importing' },
      { name: 'command-line', title: 'Command line' },
      { name: 'configuration', title: 'Configuration' },
      { name: 'operations', title: 'Operations' },
      { name: 'reliability', title: 'Reliability' },
      { name: 'scaling', title: 'Scaling' },
    ],
  },
  {
    readers: 'Build on it',
    docs: [
      { name: 'architecture', title: 'Architecture' },
      { name: 'performance', title: 'Performance' },
    ],
  },
];

/** Where the documentation is; the address itself is the guide's too, for who asks for no HTML. */
export const DOCS_PATH = '/docs';

const BY_NAME: ReadonlyMap<string, Doc> = new Map(DOCS.flatMap(({ docs }) => docs).map((doc) => [doc.name, doc]));

/** The file of a name such as `errors`. */
export const docOf = (name: string | undefined): Doc | undefined => BY_NAME.get(name ?? '');

/** The file of an address such as `/docs/errors`. */
export function docAt(pathname: string): Doc | undefined {
  return pathname.startsWith(`${DOCS_PATH}/`) ? docOf(pathname.slice(DOCS_PATH.length + 1)) : undefined;
}

/** The file of a name such as `errors` or `errors.md`. */
export const markdownOf = (name: string | undefined): Doc | undefined => docOf(name?.replace(/\.md$/, ''));

/** The text of a file, as it is. */
export function readDoc({ name }: Doc): Promise<string> {
  return readFile(join(packageRoot(), 'docs', `${name}.md`), 'utf8');
}

/** Answers with Markdown (RFC 7763): the file that the path names, or the guide at {@link DOCS_PATH} itself. */
export const serveMarkdown: Handler = async (_exchange, { page = 'api' }): Promise<Answer> => {
  const doc = markdownOf(page);
  if (!doc) throw new Error(`The documentation has no page ${page}.`);
  const text = await readDoc(doc);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/markdown; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(text)),
      'Cache-Control': 'public, max-age=3600',
      Vary: 'Accept',
    },
    body: text,
  };
};
