/** The console's pages of products, over HTTP as a browser without JavaScript uses them. */
import { describe, expect, test } from 'vitest';
import { listAudit } from '../../src/access/audit.ts';
import { type Answer, feedRow, startTestGateway } from '../harness/gateway.ts';
import { forFile } from '../harness/lifetime.ts';
import { fieldsOf, signInTo } from '../harness/operator.ts';

const DRYER = '4006381333931';
const CABLE = '4006381333948';
const ASIN = 'B0DEMO0001';
const HOSTILE = '<script>alert(1)</script>\u202egnp "\'&';
const SHOWN = "<bdi>&lt;script>alert(1)&lt;/script>\\u202egnp &quot;'&amp;</bdi>";

const gateway = await forFile(startTestGateway({ CONSOLE: 'on' }));
const operator = await signInTo(gateway);
const dryer = feedRow({ id: 'dryer', title: 'Hair dryer', brand: 'Ventosa', gtin: DRYER });
await gateway.importRows('Founder', [{ ...dryer, mpn: 'HD-2000/B' }]);
const cable = feedRow({ id: 'cable', title: 'Cable', gtin: CABLE, asin: ASIN });
await gateway.importRows('Wrong shop', [cable]);
await gateway.importRows('Misled', [feedRow({ id: 'm', asin: ASIN, price: '7.00 EUR' })]);
await gateway.importRows('Correct', [{ ...dryer, asin: ASIN }]);

/** The path of the page of the product that a search finds first. */
async function find(text: string): Promise<string> {
  const { text: html } = await operator.get(`/console/products?query=${encodeURIComponent(text)}`);
  const path = /href="(\/console\/products\/prd_\w+)"/.exec(html)?.[1];
  if (path === undefined) throw new Error(`Nothing was found for ${text}: ${html}`);
  return path;
}
const rowsOf = ({ text }: Answer, label: string): string[] => {
  const [table = ''] =
    new RegExp(`<section class="table-scroll" aria-label="${label}"[\\s\\S]*?</section>`).exec(text) ?? [];
  return Array.from(table.matchAll(/<tr>([\s\S]*?)<\/tr>/g), ([, row = '']) =>
    row
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).slice(1);
};
const nextOf = ({ text }: Answer) => /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');

describe('the search', () => {
  test.each([
    ['a GTIN', DRYER],
    ['a GTIN of 14 digits', `0${DRYER}`],
    ['an MPN', 'HD-2000/B'],
    ['a slug', 'hair-dryer'],
    ['words', 'dryer hair'],
    ['a word with a typing error', 'ventoza'],
    ['a brand', 'Ventosa'],
  ])('finds a product by %s', async (_kind, text) => {
    const page = await operator.get(await find(text));
    expect(page.text).toContain('<bdi>Hair dryer</bdi>');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  test('finds a product by its ASIN and its id', async () => {
    const path = await find(ASIN);
    expect((await operator.get(path)).text).toContain('<bdi>Cable</bdi>');
    expect(await find(path.split('/').at(-1) ?? '')).toBe(path);
  });

  test('says so if nothing is found', async () => {
    expect((await operator.get('/console/products?query=qqqqqqq')).text).toContain('No product is found');
    expect((await operator.get('/console/products?query=%25')).status).toBe(200);
  });

  test('is read page by page', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => feedRow({ id: `w${index}`, title: `Widget ${index}.` }));
    await gateway.importRows('Widgets', rows);
    const first = await operator.get('/console/products?query=widget');
    const second = await operator.get(nextOf(first) ?? '');
    const names = [first, second].flatMap((page) =>
      rowsOf(page, 'Products').map((row) => /Widget \d+\./.exec(row)?.[0]),
    );
    expect(rowsOf(first, 'Products')).toHaveLength(25);
    expect(names.sort()).toEqual(rows.map(({ title }) => title).sort());
    expect(nextOf(second)).toBeUndefined();
  });

  test.each([
    ['a damaged cursor', '?query=widget&after=x'],
    ['a text that is too long', `?query=${'x'.repeat(101)}`],
    ['a NUL character', '?query=a%00b'],
  ])('answers %s with a page that says what is wrong', async (_name, query) => {
    const { status, text } = await operator.get(`/console/products${query}`);
    expect(status).toBe(400);
    expect(text).toContain('role="alert"');
  });
});

describe('the page of a product', () => {
  test('shows its identifiers with the shops that contributed, state and dispute them', async () => {
    const page = await operator.get(await find(CABLE));
    const rows = rowsOf(page, 'Identifiers');
    expect(rows[0]).toMatch(/^GTIN 4006381333948 Wrong shop \S+ \S+ Wrong shop Detach…$/);
    expect(rows[1]).toMatch(
      /^ASIN B0DEMO0001 Wrong shop \S+ \S+ Misled Wrong shop Correct : belongs to hair-dryer , with GTIN 4006381333931 Detach…$/,
    );
    expect(rowsOf(page, 'Fields')[0]).toMatch(/^name Wrong shop/);
    expect(rowsOf(page, 'Offers').map((row) => row.split(' off_')[0])).toEqual(['Misled', 'Wrong shop']);
    expect(page.text).toContain('alt="Price history: ');
  });

  test('has all offers of many shops, page by page, cheapest first, those with unknown shipping last', async () => {
    for (let shop = 0; shop < 6; shop += 1) {
      const rows = Array.from({ length: 10 }, (_, index) =>
        feedRow({
          id: `${index}`,
          title: 'Mug',
          gtin: '4006381333955',
          price: `${1 + index}.0${shop} EUR`,
          ...(shop % 2 && { shipping: 'DE:::0 EUR' }),
        }),
      );
      await gateway.importRows(`Mugs ${shop}`, rows);
    }
    const path = await find('4006381333955');
    const product = await operator.get(path);
    expect(rowsOf(product, 'Offers')).toHaveLength(20);
    expect(product.text).toContain(`href="${path}/offers"`);
    const first = await operator.get(`${path}/offers`);
    const second = await operator.get(nextOf(first) ?? '');
    const totals = [first, second].flatMap((page) =>
      rowsOf(page, 'Offers').map((row) => Number(/€(\d+\.\d\d)/.exec(row)?.[1])),
    );
    expect(totals).toHaveLength(60);
    const sorted = [...totals].sort((one, other) => one - other);
    const isStated = (total: number) => Math.round(total * 100) % 2 === 1;
    expect(totals).toEqual([...sorted.filter(isStated), ...sorted.filter((total) => !isStated(total))]);
    expect(nextOf(second)).toBeUndefined();
  });

  test('has the raw ledger with every entry once, and that of one offer', async () => {
    const at = (minute: number) => ({ observedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)) });
    for (let minute = 0; minute < 60; minute += 1) {
      const price = `${10 + (minute % 2)}.00 EUR`;
      const rows = ['one', 'two'].map((id) => feedRow({ id, title: 'Lamp', gtin: '4006381333962', price }));
      await gateway.importRows('Lamps', rows, at(minute));
    }
    const path = `${await find('4006381333962')}/ledger`;
    const first = await operator.get(path);
    const second = await operator.get(nextOf(first) ?? '');
    const entries = [...rowsOf(first, 'Ledger'), ...rowsOf(second, 'Ledger')];
    expect(rowsOf(first, 'Ledger')).toHaveLength(100);
    expect(new Set(entries).size).toBe(120);
    expect(entries).toHaveLength(120);
    const offer = /off_\w+/.exec(entries[0] ?? '')?.[0] ?? '';
    const own = rowsOf(await operator.get(`${path}?offer=${offer}`), 'Ledger');
    expect(own).toEqual(entries.filter((row) => row.includes(` ${offer} `)));
    expect(own[0]).toMatch(/^2026-01-01 00:59:00 off_\w+ Lamps €11\.00 €11\.00 in_stock new \d+$/);
    for (const query of ['?after=x', '?offer=prd_1', `?offer=${offer}&after=${nextOf(first)?.split('after=')[1]}`]) {
      expect((await operator.get(path + query)).status).toBe(400);
    }
  });

  test.each([
    'prd_zzzz',
    'key_1',
    'x',
    '%00',
    'prd_1%00',
    'hair-dryer',
    'prd_zzzzzzzzzzzzzzz',
  ])('for %s is a page that the product is unknown', async (id) => {
    for (const part of ['', '/offers', '/ledger', '/detach']) {
      const { status, text } = await operator.get(`/console/products/${id}${part}`);
      expect([part, status]).toEqual([part, 404]);
      expect(text).toContain('<h1>Not found</h1>');
    }
  });

  test('shows hostile names as text, isolated from what stands beside them', async () => {
    await gateway.importRows('Hostile shop', [
      feedRow({ id: 'x', title: 'Hostile', brand: 'Hostile brand', gtin: '4006381333979', mpn: 'X' }),
    ]);
    // Imports remove markup; the pages must not depend on it.
    for (const [table, column] of [
      ['product', 'name'],
      ['product', 'mpn'],
      ['brand', 'name'],
      ['merchant', 'name'],
      ['offer', 'sku'],
      ['offer', 'title'],
    ]) {
      const which = table === 'offer' ? "sku = 'x' OR sku LIKE '<%'" : "slug LIKE 'hostile%'";
      await gateway.database.query(`UPDATE ${table} SET ${column} = $1 WHERE ${which}`, [HOSTILE]);
    }
    const path = await find('4006381333979');
    const pages = [path, `${path}/offers`, `${path}/ledger`, `${path}/detach?identifier=4006381333979`];
    for (const page of [...pages, '/console/products?query=4006381333979']) {
      const { status, text } = await operator.get(page);
      expect(status).toBe(200);
      expect(text).toContain('alert(1)');
      expect(text).not.toContain('<script>alert');
      // Only what a form sends back is as it came.
      expect(text.replaceAll(/<img[^>]*>| value="[^"]*"/g, '')).not.toContain('\u202e');
    }
    expect((await operator.get(path)).text).toContain(SHOWN);
  });
});

describe('a detachment', () => {
  const actionOf = (path: string) => `${path}/detach`;

  test('is previewed without any effect, then done once, and recorded with the session', async () => {
    const path = await find(CABLE);
    const form = await operator.get(`${actionOf(path)}?identifier=${ASIN}`);
    const before = (await listAudit(gateway.database)).length;
    const preview = await operator.send(form, actionOf(path));
    expect(preview.status).toBe(200);
    expect(preview.text).toContain('hair-dryer gets it');
    expect(rowsOf(preview, 'Moved offers')).toEqual([expect.stringMatching(/^off_\w+ Misled hair-dryer$/)]);
    expect(await find(ASIN)).toBe(path);
    expect(await listAudit(gateway.database)).toHaveLength(before);

    const done = await operator.send(preview, actionOf(path));
    expect(done.text).toContain('It is done.');
    expect((await operator.get(await find(ASIN))).text).toContain('<bdi>Hair dryer</bdi>');
    expect((await listAudit(gateway.database)).at(-1)).toMatchObject({
      action: 'identifier.detach',
      actor: expect.stringMatching(/^console ses_/),
      before: { asin: ASIN, product: 'cable' },
    });
    expect(rowsOf(await operator.get(path), 'Detached')).toEqual([expect.stringMatching(/^ASIN B0DEMO0001 from this/)]);

    // Reloading the answer sends the form again.
    const again = await operator.send(preview, actionOf(path));
    expect(again.status).toBe(409);
    expect(again.text).toContain('does not have the ASIN B0DEMO0001 any more, so nothing was done');
    expect(await listAudit(gateway.database)).toHaveLength(before + 1);
  });

  test('of one shop voids its claim only', async () => {
    const gtin = '4006381333986';
    for (const shop of ['Pens A', 'Pens B']) await gateway.importRows(shop, [feedRow({ id: 'p', title: 'Pen', gtin })]);
    const path = await find(gtin);
    const form = await operator.get(`${actionOf(path)}?identifier=${gtin}`);
    expect(form.text).toContain('<option value="Pens B"');
    const preview = await operator.send(form, actionOf(path), { merchant: 'Pens B' });
    expect(preview.text).toMatch(/claim of <bdi>Pens B<\/bdi> to the GTIN 4006381333986 becomes void/);
    expect(preview.text).toContain('keeps the GTIN');
    const done = await operator.send(preview, actionOf(path));
    expect(done.text).toContain('is void');
    expect(rowsOf(await operator.get(path), 'Detached')[0]).toContain('the claim of Pens B is void');
    expect(await find(gtin)).toBe(path);
  });

  test('that is refused says why, and keeps what was entered', async () => {
    const path = await find(DRYER);
    const page = await operator.get(`${actionOf(path)}?identifier=${DRYER}`);
    const refused = async (fields: Record<string, string>) => {
      const { status, text } = await operator.send(page, actionOf(path), fields);
      return [status, /role="alert"><p>([^<]*)/.exec(text)?.[1], text.includes(`value="${fields.to ?? ''}"`)];
    };
    expect(await refused({ to: 'hair-dryer' })).toEqual([409, expect.stringContaining('has the GTIN'), true]);
    expect(await refused({ to: 'nothing-like-it' })).toEqual([404, expect.stringContaining('No product has'), true]);
    expect(await refused({ merchant: 'Nobody', to: 'x' })).toEqual([404, expect.stringContaining('No shop'), true]);
    expect((await operator.send(page, actionOf(path), { identifier: 'x' })).status).toBe(400);
    expect((await operator.send(page, actionOf(path), { csrf: 'x' })).status).toBe(403);
    expect((await operator.get(`${actionOf(path)}?identifier=${CABLE}`)).status).toBe(404);
    expect(await find(DRYER)).toBe(path);
  });

  test('does not wait for an import that is running, nor does its preview', async () => {
    const path = await find(DRYER);
    const page = await operator.get(`${actionOf(path)}?identifier=${DRYER}`);
    const fields = fieldsOf(page.text, actionOf(path));
    await gateway.database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock(4006381333932)');
      for (const step of ['preview', 'detach']) {
        const answer = await operator.post(actionOf(path), { ...fields, step });
        expect(answer.status).toBe(409);
        expect(answer.text).toContain('An import is running, so nothing was done: try again');
      }
    });
    expect((await operator.post(actionOf(path), fields)).status).toBe(200);
  });
});

test('nobody who is not signed in sees a product or a key', async () => {
  const path = await find(DRYER);
  for (const each of [
    '/console/products',
    path,
    `${path}/ledger`,
    `${path}/offers`,
    `${path}/detach`,
    '/console/keys',
  ]) {
    const { status, text } = await gateway.get(each);
    expect(status).toBe(401);
    expect(text).not.toContain('Hair dryer');
  }
});
