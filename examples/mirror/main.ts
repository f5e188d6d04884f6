/**
 * Keeps a copy of all offers, or of those of a shop: downloads an export, then applies the changes that follow.
 * `main.ts merchant=techtonne` prints the number of offers, and each change as it happens. `ONCE=true` stops when the copy is current.
 * A copy of a category or a brand needs all changes, since products may enter and leave it (docs/changes.md).
 */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

const { PRODUCT_DATA_URL = 'http://127.0.0.1:4000', PRODUCT_DATA_KEY = '', ONCE } = process.env;
const filter = process.argv[2] ?? '';
const LONG_POLL_SECONDS = 30;
const PAUSE_SECONDS = 5;

interface Offer {
  id: string;
  productId: string;
  merchant: { name: string };
  totalPrice: number;
  currency: string;
}

interface Changes {
  data: { offerId?: string; after: Offer | null }[];
  page: { nextCursor: string; hasMore: boolean };
}

const offers = new Map<string, Offer>();

/** Asks again while the server cannot be reached or asks for patience, as during its restart. */
async function request(path: string): Promise<Response> {
  for (;;) {
    const response = await fetch(PRODUCT_DATA_URL + path, { headers: { 'x-api-key': PRODUCT_DATA_KEY } }).catch(
      (error: Error) => error,
    );
    if (response instanceof Response && response.ok) return response;
    // The detail of a problem says what to do (RFC 9457).
    const reason =
      response instanceof Error ? response.message : ((await response.json()) as { detail: string }).detail;
    if (response instanceof Response && ![429, 503].includes(response.status)) throw new Error(`${path}: ${reason}`);
    const seconds = Number(response instanceof Response && response.headers.get('retry-after')) || PAUSE_SECONDS;
    console.error(`${reason}: trying again in ${seconds} s.`);
    await setTimeout(seconds * 1_000);
  }
}

/** Downloads all offers. Resumes where a cut connection ended. @returns the cursor of the changes that follow. */
async function download(): Promise<string> {
  let cursor: string | undefined;
  let after: string | undefined;
  let ending: string | undefined;
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const resume = cursor && after ? `&cursor=${cursor}&after=${after}` : '';
    const response = await request(`/api/v1/exports/offers?${filter}${resume}`);
    cursor = response.headers.get('changes-cursor') ?? undefined;
    try {
      if (!response.body) break;
      const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
      for await (const text of createInterface({ input: body })) {
        const line = JSON.parse(text);
        if (line.end === true) return line.cursor;
        if (line.end === false) {
          ending = line.code;
          break;
        }
        offers.set(line.id, line);
        after = line.id;
      }
    } catch (error) {
      console.error(`The export was cut (${(error as Error).message}): it continues after ${after}.`);
    }
    if (ending) throw new Error(`The export ended early: ${ending}.`);
  }
  throw new Error('The export was cut too often.');
}

/** Applies the changes after a cursor. @returns the cursor for the next ones. */
async function update(cursor: string): Promise<Changes['page']> {
  const wait = ONCE ? 0 : LONG_POLL_SECONDS;
  const response = await request(`/api/v1/changes?${filter}&cursor=${cursor}&limit=1000&wait=${wait}`);
  const { data, page } = (await response.json()) as Changes;
  for (const { offerId, after } of data) {
    if (offerId === undefined) continue; // A change of a product's fields.
    if (after) offers.set(offerId, after);
    else offers.delete(offerId);
    console.log(after ? `${after.merchant.name}: ${after.totalPrice} ${after.currency}` : `${offerId} was withdrawn`);
  }
  return page;
}

let cursor = await download();
console.log(`${offers.size} offers`);
for (;;) {
  const page = await update(cursor);
  cursor = page.nextCursor;
  if (ONCE && !page.hasMore) break;
}
