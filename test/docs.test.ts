/** The documentation over HTTP: Markdown for programs and pages for people, at the same addresses. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../src/problem.ts';
import { renderMarkdown } from '../src/web/markdown.ts';
import { type Answer, startTestGateway } from './harness/gateway.ts';
import { forFile } from './harness/lifetime.ts';

const BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const MARKDOWN = 'text/markdown; charset=utf-8';
const NAMES = readdirSync(new URL('../docs', import.meta.url)).map((file) => file.replace(/\.md$/, ''));

// These tests read more pages than one address may in a minute.
const gateway = await forFile(startTestGateway({ RATE_LIMIT_PUBLIC: '100000' }));

describe('the documentation', () => {
  test('is Markdown unless the client prefers HTML, and always at its .md address', async () => {
    for (const path of ['/docs', ...NAMES.map((name) => `/docs/${name}`)]) {
      for (const accept of ['*/*', 'text/markdown', 'text/markdown, text/html;q=0.9']) {
        const { status, headers, text } = await gateway.get(path, { headers: { accept } });
        expect([path, status, headers.get('content-type')]).toEqual([path, 200, MARKDOWN]);
        expect(headers.get('vary')).toContain('Accept');
        expect(text).toMatch(/^# /);
      }
    }
    for (const name of NAMES) {
      const { status, headers } = await gateway.get(`/docs/${name}.md`, BROWSER);
      expect([name, status, headers.get('content-type')]).toEqual([name, 200, MARKDOWN]);
    }
  });

  test('has a page for browsers without broken links for each file', async () => {
    const pages = new Map<string, Promise<Answer>>();
    const page = (path: string) => pages.get(path) ?? pages.set(path, gateway.get(path, BROWSER)).get(path);
    for (const name of NAMES) {
      const { headers, text } = (await page(`/docs/${name}`)) as Answer;
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('vary')).toContain('Accept');
      expect(text).toContain(`<title>${/<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1]} ·`);
      expect(text).toContain(`<a href="/docs/${name}" aria-current="page">`);
      const hrefs = [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
      for (const href of new Set(hrefs.filter((each) => /^[/#]/.test(each)))) {
        const { pathname, hash } = new URL(href, `${gateway.address}/docs/${name}`);
        const linked = (await page(pathname)) as Answer;
        expect([name, href, linked.status]).toEqual([name, href, 200]);
        if (hash !== '') expect(linked.text, `${name}: ${href}`).toContain(` id="${hash.slice(1)}"`);
      }
    }
  });

  test('explains each error at the anchor that its problem type links to', async () => {
    const { text } = await gateway.get('/docs/errors', BROWSER);
    for (const code of Object.keys(PROBLEMS)) expect(text).toContain(` id="${code}"`);
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
