/** The price history as a table, and as a chart that fits the window and the colour scheme. */
import { describeChart, lowName } from '../../chart/describe.ts';
import { CHART_MEASURES, type ChartLook } from '../../chart/look.ts';
import { type PriceChart, stepsOf } from '../../chart/steps.ts';
import { dayOf } from '../../values/day.ts';
import { dayFormat } from '../../values/day-format.ts';
import { priceFormat } from '../../values/price-format.ts';
import { numbers, ScrollTable } from '../layout.tsx';

const PHONE = '(max-width: 40rem)';
const DARK = '(prefers-color-scheme: dark)';

/** The path of a product's chart. */
function chartPath(slug: string, { measures, colours }: ChartLook): string {
  return `/products/${slug}/price-history-${measures}-${colours}.svg`;
}

export function History({ slug, chart }: { slug: string; chart: PriceChart }) {
  const source = (media: string, look: ChartLook) => (
    <source
      media={media}
      srcset={chartPath(slug, look)}
      width={CHART_MEASURES[look.measures].width}
      height={CHART_MEASURES[look.measures].height}
    />
  );
  const { width, height } = CHART_MEASURES.wide;
  return (
    <>
      <picture class="price-chart">
        {source(`${PHONE} and ${DARK}`, { measures: 'narrow', colours: 'dark' })}
        {source(PHONE, { measures: 'narrow', colours: 'light' })}
        {source(DARK, { measures: 'wide', colours: 'dark' })}
        <img
          src={chartPath(slug, { measures: 'wide', colours: 'light' })}
          alt={`Price history: ${describeChart(chart)}`}
          width={width}
          height={height}
        />
      </picture>
      {chart.points.length > 0 && (
        <details>
          <summary>Price history as a table</summary>
          <HistoryTable chart={chart} />
        </details>
      )}
    </>
  );
}

function HistoryTable({ chart }: { chart: PriceChart }) {
  const price = priceFormat(chart.currency);
  const latestFirst = stepsOf(chart).reverse();
  return (
    <ScrollTable
      label="Price history"
      columns={['From', 'To', numbers(lowName(chart)), numbers('Lowest'), numbers('Average'), numbers('Highest')]}
    >
      {latestFirst.map(({ from, until, low, min, avg, max }) => (
        <tr key={from}>
          <th scope="row">{dayFormat(dayOf(from))}</th>
          <td>{dayFormat(dayOf(until - 1))}</td>
          <td class="number">{low === null ? 'none' : price(low)}</td>
          <td class="number">{price(min)}</td>
          <td class="number">{price(avg)}</td>
          <td class="number">{price(max)}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}
