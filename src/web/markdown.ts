/** Renders the documentation's Markdown as HTML. Raw HTML is shown as text, except the anchors that other pages link to. */
import MarkdownIt from 'markdown-it';
import { DOCS_PATH, docAt } from './docs.ts';

const ANCHOR = /^<a id="([\w-]+)"><\/a>/;

const markdown = new MarkdownIt({ html: false });

type Token = ReturnType<typeof markdown.parse>[number];

// `<a id="not_found"></a>`: the only HTML in the files, for the URLs in problem details.
markdown.inline.ruler.before('html_inline', 'anchor', (state, silent) => {
  const found = ANCHOR.exec(state.src.slice(state.pos));
  if (!found) return false;
  if (!silent) state.push('anchor', 'span', 0).attrSet('id', found[1] ?? '');
  state.pos += found[0].length;
  return true;
});
markdown.renderer.rules.anchor = (tokens, index, _options, _env, renderer) => {
  const token = tokens[index];
  return token ? `<span${renderer.renderAttrs(token)}></span>` : '';
};

const headsOf = (tokens: readonly Token[], index: number): string[] => {
  const end = tokens.findIndex(({ type }, at) => at > index && type === 'thead_close');
  return tokens
    .slice(index, end)
    .filter(({ type }) => type === 'inline')
    .map(({ content }) => content);
};

/** Labels each cell with its column heading, because on a phone the cells of a row are stacked. */
function labelCells(tokens: readonly Token[]): void {
  let heads: string[] = [];
  let column = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'table_open') heads = headsOf(tokens, index);
    if (token.type === 'tr_open') column = 0;
    if (token.type === 'td_open') token.attrSet('data-label', heads[column++] ?? '');
  }
}

// Wide tables and code blocks scroll sideways on their own, also with the keyboard (WCAG 2.1.1).
markdown.renderer.rules.table_open = (tokens, index) => {
  const label = markdown.utils.escapeHtml(`Table: ${headsOf(tokens, index).join(', ')}`);
  return `<section class="table-scroll" tabindex="0" aria-label="${label}"><table>`;
};
markdown.renderer.rules.table_close = () => '</table></section>';
markdown.renderer.rules.fence = (tokens, index) =>
  `<pre data-copy tabindex="0"><code>${markdown.utils.escapeHtml(tokens[index]?.content ?? '')}</code></pre>`;

/** The id of a heading, made as GitHub does, so that links work in both places. */
const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Turns a link to a file, as GitHub needs it (`importing.md#articles`), into a link to its page. */
function pageOf(href: string): string {
  const [, name = '', fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  const path = `${DOCS_PATH}/${name}`;
  return docAt(path) ? path + fragment : href;
}

/** Renders a text as HTML that is safe in a page, with its title (the first heading) and the headings of the second level. */
export function renderMarkdown(text: string) {
  const tokens = markdown.parse(text, {});
  labelCells(tokens);
  const headings: { id: string; text: string; tag: string }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const inline = tokens[index + 1]?.children ?? [];
      const words = inline.map(({ content }) => content).join('');
      const id = slugOf(words);
      token.attrSet('id', id);
      headings.push({ id, text: words, tag: token.tag });
    }
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') child.attrSet('href', pageOf(String(child.attrGet('href'))));
    }
  }
  return {
    title: headings.find(({ tag }) => tag === 'h1')?.text ?? '',
    html: markdown.renderer.render(tokens, markdown.options, {}),
    sections: headings.filter(({ tag }) => tag === 'h2').map(({ tag, ...section }) => section),
  };
}
