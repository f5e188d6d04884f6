/** `/console/shops`: the shops with offers, those first that were seen longest ago. */
import * as z from 'zod';
import { readShops, type Shop, type ShopPlace } from '../../../console/shops.ts';
import { bigintIn, decodeCursor, encodeCursor, momentIn } from '../../../values/cursor.ts';
import { DAY_MS } from '../../../values/day.ts';
import { External } from '../../external-text.tsx';
import { readFields } from '../../forms/fields.ts';
import { numbers, ScrollTable } from '../../layout.tsx';
import { Moment } from '../moment.tsx';
import { invalidCursor, NextPage } from '../next-page.tsx';
import type { ConsoleRoute } from '../visit.ts';
import { FEEDS_PATH, feedPath, SHOPS_PATH } from './paths.ts';

const PAGE = 100;
const LIST = 'console shops';

const Query = z.object({ after: z.string().optional() });

export const shopListRoute: ConsoleRoute = {
  path: SHOPS_PATH,
  async show({ query, services: { database } }) {
    const { after } = readFields(query, Query);
    const place = after === undefined ? undefined : placeOf(after);
    const { shops, next } = await readShops(database, { first: PAGE, after: place });
    return {
      title: 'Shops',
      section: FEEDS_PATH,
      content: (
        <>
          <p class="lede">Shops with offers; those that were seen longest ago come first.</p>
          <ShopTable shops={shops} />
          <NextPage
            path={SHOPS_PATH}
            cursor={next && encodeCursor(LIST, [next.observedAt.getTime(), String(next.id)])}
          />
        </>
      ),
    };
  },
};

function placeOf(cursor: string): ShopPlace {
  const place = decodeCursor(LIST, cursor) ?? [];
  const [observedAt, id] = [momentIn(place[0]), bigintIn(place[1])];
  if (!observedAt || id === undefined) throw invalidCursor();
  return { observedAt, id };
}

/** Shops as a table. */
export function ShopTable({ shops, now = Date.now() }: { shops: readonly Shop[]; now?: number }) {
  if (shops.length === 0) return <p class="notice">No shop has offers yet.</p>;
  return (
    <ScrollTable label="Shops" look="records" columns={['Shop', numbers('Offers'), 'Last feed (UTC)', 'Age', 'Feeds']}>
      {shops.map(({ id, name, offers, observedAt, feeds }) => (
        <tr key={id}>
          <th scope="row">
            <External>{name}</External>
          </th>
          <td class="number" data-label="Offers">
            {offers.toLocaleString('en')}
          </td>
          <td data-label="Last feed">
            <Moment at={observedAt} />
          </td>
          <td data-label="Age">{ageOf(now - observedAt.getTime())}</td>
          <td data-label="Feeds">
            {feeds.length > 0 && (
              <span>
                {feeds.map((feed, index) => (
                  <>
                    {index > 0 && ', '}
                    <a key={feed} href={feedPath(feed)}>
                      {feed}
                    </a>
                  </>
                ))}
              </span>
            )}
          </td>
        </tr>
      ))}
    </ScrollTable>
  );
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** @example ageOf(7_300_000) // '2 hours' */
function ageOf(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => milliseconds >= each) ?? [];
  if (unit === undefined) return 'less than a minute';
  const number = Math.floor(milliseconds / length);
  return `${number} ${number === 1 ? unit : `${unit}s`}`;
}
