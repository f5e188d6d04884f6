/** The documentation over HTTP: Markdown for programs and pages for people, at the same addresses. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../src/problem.ts';
import { renderMarkdown } from '../src/web/markdown.ts';
import { startTestGateway, type TestGateway } from './harness/gateway.ts';

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const MARKDOWN = 'text/markdown; charset=utf-8';
const NAMES = readdirSync(new URL('../docs', import.meta.url)).map((file) => file.replace(/\.md$/, ''));

let gateway: TestGateway;
beforeAll(async () => {
  // These tests read more pages than one address may in a minute.
  gateway = await startTestGateway({ RATE_LIMIT_PUBLIC: '100000' });
});
afterAll(() => gateway.stop());

const pageOf = async (path: string) => (await gateway.get(path, BROWSER)).text;

describe('the documentation', () => {
  test.each([
    '/docs',
    ...NAMES.map((name) => `/docs/${name}`),
  ])('%s is Markdown unless the client prefers HTML', async (path) => {
    for (const accept of ['*/*', 'text/markdown', 'text/markdown, text/html;q=0.9']) {
      const { status, headers, text } = await gateway.get(path, { headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([200, MARKDOWN]);
      expect(headers.get('vary')).toContain('Accept');
      expect(text).toMatch(/^# /);
    }
  });

  test.each(NAMES)('%s is a page for browsers, and Markdown at its .md address', async (name) => {
    const markdown = await gateway.get(`/docs/${name}.md`, BROWSER);
    expect([markdown.status, markdown.headers.get('content-type')], markdown.text).toEqual([200, MARKDOWN]);
    const { headers, text } = await gateway.get(`/docs/${name}`, BROWSER);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('vary')).toContain('Accept');
    expect(text).toContain(`<title>${/^# (.*)/.exec(markdown.text)?.[1]} ·`);
    expect(text).toContain(`<a href="/docs/${name}" aria-current="page">`);
  });

  test.each(NAMES)('%s has no broken links', async (name) => {
    const hrefs = [...(await pageOf(`/docs/${name}`)).matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
    for (const href of new Set(hrefs.filter((each) => /^[/#]/.test(each)))) {
      const { pathname, hash } = new URL(href, `${gateway.address}/docs/${name}`);
      const { status, text } = await gateway.get(pathname, BROWSER);
      expect([href, status]).toEqual([href, 200]);
      if (hash !== '') expect(text, href).toContain(` id="${hash.slice(1)}"`);
    }
  });

  test.each(Object.keys(PROBLEMS))('explains %s at the anchor that its problem type links to', async (code) => {
    expect(await pageOf('/docs/errors')).toContain(` id="${code}"`);
  });

  test('is read-only', async () => {
    const { status, headers } = await gateway.get('/docs/errors', { method: 'POST', ...BROWSER });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test.each(['/docs/none', '/docs/', '/docs/../package.json', '/docs/..%2fREADME.md'])('has no %s', async (path) => {
    expect((await gateway.get(path, BROWSER)).status).toBe(404);
  });
});

describe('Markdown', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a id="x" onclick="alert(1)"></a>',
    '[a link](javascript:alert(1))',
  ])('%s does not become active HTML', (text) => {
    const { html } = renderMarkdown(`# Title\n\n${text}\n\n| ${text} |\n|---|\n| ${text} |`);
    expect(html).not.toMatch(/<script|<img|<a /);
  });

  test('gives headings the same anchors as GitHub', () => {
    const { html, title, sections } = renderMarkdown('# A title\n\n## Full and `delta`: what?\n');
    expect(title).toBe('A title');
    expect(sections).toEqual([{ id: 'full-and-delta-what', text: 'Full and delta: what?' }]);
    expect(html).toContain('<h2 id="full-and-delta-what">');
  });

  test('rewrites links between files to links between pages', () => {
    const { html } = renderMarkdown('[a](importing.md#articles) [b](https://example.com/x.md) [c](none.md)');
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      '/docs/importing#articles',
      'https://example.com/x.md',
      'none.md',
    ]);
  });
});
