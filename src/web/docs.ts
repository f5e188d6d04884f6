/** Serves the Markdown files of the docs folder: at `/docs/<name>.md`, and at `/docs/<name>` to clients that do not prefer HTML. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Handler } from '../http/exchange.ts';
import type { PathValues } from '../http/router.ts';
import { packageRoot } from '../package-root.ts';
import { serveFixed, writeAnswer } from '../rest/kept-answers.ts';

/** One file of the documentation. */
export interface Doc {
  /** The file's name without extension, and the last segment of its path. */
  name: string;
  /** The title in the menu. */
  title: string;
}

const docs = (titles: Record<string, string>): Doc[] =>
  Object.entries(titles).map(([name, title]) => ({ name, title }));

/** The documentation by audience, in the order of the menu. */
export const DOCS: readonly { readers: string; docs: readonly Doc[] }[] = [
  {
    readers: 'Use the API',
    docs: docs({
      api: 'Guide',
      prices: 'Price figures',
      changes: 'Changes',
      exports: 'Exports',
      webhooks: 'Webhooks',
      errors: 'Errors',
      agents: 'Agents',
    }),
  },
  {
    readers: 'Run the service',
    docs: docs({
      importing: 'Importing',
      'command-line': 'Command line',
      configuration: 'Configuration',
      operations: 'Operations',
      reliability: 'Reliability',
      scaling: 'Scaling',
    }),
  },
  {
    readers: 'Build on it',
    docs: docs({ architecture: 'Architecture', contributing: 'Contributing', performance: 'Performance' }),
  },
];

/** The path of the documentation. Clients that do not prefer HTML get the guide there. */
export const DOCS_PATH = '/docs';

const BY_NAME: ReadonlyMap<string, Doc> = new Map(DOCS.flatMap(({ docs }) => docs).map((doc) => [doc.name, doc]));

/** The file of a name such as `errors`. */
export const docOf = (name: string | undefined): Doc | undefined => BY_NAME.get(name ?? '');

/** The file of a path such as `/docs/errors`. */
export function docAt(pathname: string): Doc | undefined {
  return pathname.startsWith(`${DOCS_PATH}/`) ? docOf(pathname.slice(DOCS_PATH.length + 1)) : undefined;
}

/** The file of a name such as `errors` or `errors.md`. */
export const markdownOf = (name: string | undefined): Doc | undefined => docOf(name?.replace(/\.md$/, ''));

/** The page in a path below {@link DOCS_PATH}; empty at the path itself. */
export const pageOf = ({ page = '' }: PathValues): string => page;

/** The text of a file. */
export function readDoc({ name }: Doc): Promise<string> {
  return readFile(join(packageRoot(), 'docs', `${name}.md`), 'utf8');
}

/** Serves Markdown (RFC 7763): the file that the path names, or the guide at {@link DOCS_PATH}. */
export const serveMarkdown = (): Handler =>
  serveFixed(async ({ page = 'api' }) => {
    const doc = markdownOf(page);
    if (!doc) throw new Error(`The documentation has no page ${page}.`);
    return writeAnswer(await readDoc(doc), {
      'Content-Type': 'text/markdown; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
      Vary: 'Accept',
    });
  }, pageOf);
