/** The documentation for browsers: the Markdown files as pages, with a menu. */
import type { Handler } from '../http/exchange.ts';
import { serveFixed } from '../rest/kept-answers.ts';
import { writePage } from './answer-page.tsx';
import { DOCS, DOCS_PATH, type Doc, docOf, pageOf, readDoc } from './docs.ts';
import type { Page, Site } from './layout.tsx';

/** Serves `/docs/<name>` to browsers; other clients get the files themselves. */
export function serveDocPages(site: Site): Handler {
  return serveFixed(async ({ page: name }) => {
    const doc = docOf(name);
    if (!doc) throw new Error(`The documentation has no page ${name}.`);
    return writePage(await makePage(doc), site, { headers: { Vary: 'Accept' } });
  }, pageOf);
}

async function makePage(doc: Doc): Promise<Page> {
  // Loaded on demand, because most processes never serve these pages.
  const { renderMarkdown } = await import('./markdown.ts');
  const { title, html, sections } = renderMarkdown(await readDoc(doc));
  return {
    title,
    description: `${title}: documentation of the Product Data API.`,
    path: `${DOCS_PATH}/${doc.name}`,
    content: <DocContent doc={doc} html={html} sections={sections} />,
    styles: ['docs.css'],
    scripts: ['copy.js'],
  };
}

interface Content {
  doc: Doc;
  html: string;
  sections: readonly { id: string; text: string }[];
}

function DocContent({ doc, html, sections }: Content) {
  return (
    <div class="docs">
      <nav class="docs-menu" aria-label="Documentation">
        {DOCS.map(({ readers, docs }) => (
          <section key={readers}>
            <h2>{readers}</h2>
            <ul>
              {readers === DOCS[0]?.readers && (
                <li>
                  <a href={DOCS_PATH}>API reference</a>
                </li>
              )}
              {docs.map(({ name, title }) => (
                <li key={name}>
                  <a href={`${DOCS_PATH}/${name}`} aria-current={name === doc.name ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <div class="docs-text">
        {sections.length > 2 && (
          <nav class="docs-sections" aria-label="On this page">
            {sections.map(({ id, text }) => (
              <a key={id} href={`#${id}`}>
                {text}
              </a>
            ))}
          </nav>
        )}
        {/* markdown.ts lets no HTML of the files through. */}
        <article dangerouslySetInnerHTML={{ __html: html }} />
        <p class="muted small">
          <a href={`${DOCS_PATH}/${doc.name}.md`}>This page as Markdown</a>
        </p>
      </div>
    </div>
  );
}
