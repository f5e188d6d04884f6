/** The layout of all pages: head, menu, content and footer. */
import type { ComponentChildren } from 'preact';
import { assetUrl } from './assets.ts';

/** A page, before it is rendered. */
export interface Page {
  /** The title, to which the name of the service is added. */
  title: string;
  /** One sentence for search engines and previews. */
  description: string;
  /** The path of the page, which the menu marks as current. */
  path: string;
  content: ComponentChildren;
  /** More elements for the head, such as Open Graph tags or a {@link DataBlock}. */
  head?: ComponentChildren;
  /** Assets beside the common stylesheet, by the names that `assetUrl` takes. Scripts are modules. */
  styles?: readonly string[];
  scripts?: readonly string[];
  /** Replaces the menu of the site. */
  menu?: ComponentChildren;
  /** `reading` limits the length of lines; `bare` fills the window, without margin and footer. */
  width?: 'reading' | 'bare';
}

/** The optional parts of this deployment. */
export interface Site {
  /** Whether GraphiQL is served. It needs introspection, and operations sent as text. */
  hasGraphiql: boolean;
}

const SERVICE = 'Product Data API';

const MENU: readonly { path: string; label: string }[] = [
  { path: '/docs', label: 'API reference' },
  { path: '/docs/api', label: 'Guide' },
  { path: '/docs/errors', label: 'Errors' },
  { path: '/graphql', label: 'GraphiQL' },
  { path: '/account', label: 'Account' },
];

/** The complete HTML document of a page. */
export function Layout({ page, site }: { page: Page; site: Site }) {
  const { title, description, path, content, head, styles = [], scripts = [], width } = page;
  const menu = site.hasGraphiql ? MENU : MENU.filter((entry) => entry.path !== '/graphql');
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === SERVICE ? title : `${title} · ${SERVICE}`}</title>
        <meta name="description" content={description} />
        <link rel="icon" href={assetUrl('icon.svg')} type="image/svg+xml" />
        {['page.css', ...styles].map((name) => (
          <link key={name} rel="stylesheet" href={assetUrl(name)} />
        ))}
        {scripts.map((name) => (
          <script key={name} type="module" src={assetUrl(name)} />
        ))}
        {head}
      </head>
      <body class={width}>
        <a class="skip-link" href="#content">
          Skip to the content
        </a>
        <header class="site-header">
          <div class="site-header-inner">
            <a class="site-name" href="/" aria-current={path === '/' ? 'page' : undefined}>
              <img src={assetUrl('icon.svg')} alt="" width="28" height="28" />
              {SERVICE}
            </a>
            {page.menu ?? (
              <nav class="site-menu" aria-label="Site">
                {menu.map((entry) => (
                  <a key={entry.path} href={entry.path} aria-current={entry.path === path ? 'page' : undefined}>
                    {entry.label}
                  </a>
                ))}
              </nav>
            )}
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          {content}
        </main>
        {width !== 'bare' && <Foot />}
      </body>
    </html>
  );
}

function Foot() {
  return (
    <footer class="site-footer">
      <p>
        For programs: <a href="/api/v1">service index</a>, <a href="/api/v1/openapi.json">OpenAPI 3.1</a>,{' '}
        <a href="/llms.txt">llms.txt</a>
      </p>
    </footer>
  );
}

/** Data in the head for programs, such as schema.org's JSON-LD. It is never run, so the policy need not allow it. */
export function DataBlock({ type, data }: { type: 'application/ld+json' | 'application/json'; data: unknown }) {
  // In a script element only the end tag has a meaning, so escaping `<` is enough (HTML standard §13.1.2.1).
  const __html = JSON.stringify(data).replaceAll('<', '\\u003c');
  return <script type={type} dangerouslySetInnerHTML={{ __html }} />;
}

/** A column of numbers, which is aligned to the right. */
export const numbers = (title: string) => ({ title, look: 'number' });

interface TableProps {
  label: string;
  look?: string;
  columns: readonly (string | ReturnType<typeof numbers>)[];
  children: ComponentChildren;
}

/** A table that scrolls sideways on its own if it is wider than the window, also with the keyboard. `look` is its class. */
export function ScrollTable({ label, look, columns, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable with the keyboard (WCAG 2.1.1).
    <section class="table-scroll" aria-label={label} tabIndex={0}>
      <table class={look}>
        <thead>
          <tr>
            {columns.map((column) => {
              const { title, look } = typeof column === 'string' ? { title: column, look: undefined } : column;
              return (
                <th key={title} scope="col" class={look}>
                  {title}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** Names with their values, without those whose value is missing. */
export function Facts({ look, facts }: { look: string; facts: readonly (readonly [string, string | null])[] }) {
  return (
    <dl class={look}>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
