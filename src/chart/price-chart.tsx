/** A price history as an SVG document, drawn in about a millisecond. */
import { renderToString } from 'preact-render-to-string';
import { PriceAxis, TimeAxis } from './axes.tsx';
import { describeChart, describeLowest, describeLowestEver, describeTime, lowName } from './describe.ts';
import { type ChartLook, styleOf } from './look.ts';
import { type Plot, plotOf } from './plot.ts';
import { Prices } from './prices.tsx';
import { type PriceChart, visibleStepsOf } from './steps.ts';
import { shorten } from './text-width.ts';

// Each step has eight corners in the lines and the band. More of them would make the picture larger, but not clearer.
const MOST_STEPS = 180;

/** The chart as a complete SVG document with its own background. The same history gives the same bytes. */
export function drawPriceChart(chart: PriceChart, look: ChartLook = { colours: 'light', measures: 'wide' }): string {
  return renderToString(<Picture chart={{ ...chart, title: xmlText(chart.title) }} look={look} />);
}

/** The headers of a chart. Its texts come from feeds, so a browser that opens it must neither run nor load anything. */
export const PICTURE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

function Picture({ chart, look }: { chart: PriceChart; look: ChartLook }) {
  const steps = visibleStepsOf(chart, MOST_STEPS);
  const plot = plotOf(chart, steps, styleOf(look));
  const { width, height, margin, fontSize, colours } = plot;
  const titleSize = fontSize + 4;
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-labelledby="title"
      aria-describedby="desc"
      font-family="Arial, Helvetica, Liberation Sans, sans-serif"
      font-size={fontSize}
      fill={colours.muted}
    >
      <title id="title">Price history of {chart.title}</title>
      <desc id="desc">{describeChart(chart)}</desc>
      <rect width={width} height={height} fill={colours.ground} />
      <text x={margin} y={margin + titleSize * 0.8} font-size={titleSize} font-weight="600" fill={colours.ink}>
        {shorten(chart.title, width - 2 * margin, titleSize)}
      </text>
      <text x={margin} y={margin + fontSize * 2.8}>
        {describeTime(chart)}
      </text>
      <PriceAxis plot={plot} />
      <Prices plot={plot} steps={steps} chart={chart} />
      <TimeAxis plot={plot} />
      {steps.length > 0 ? (
        <Legend plot={plot} chart={chart} />
      ) : (
        <text x={(plot.left + plot.right) / 2} y={(plot.top + plot.bottom) / 2} text-anchor="middle">
          No price in this time
        </text>
      )}
    </svg>
  );
}

/** The names of the lines and the band, the lowest prices first. In a narrow chart, each low is on a line of its own. */
function Legend({ plot, chart }: { plot: Plot; chart: PriceChart }) {
  const lowestEver = describeLowestEver(chart);
  const { margin, bottom, fontSize, legendLines, colours } = plot;
  const behind = { dx: '.8em' };
  const onItsOwn = legendLines > 1 ? { x: margin, dy: '1.25em' } : behind;
  return (
    <text x={margin} y={bottom + fontSize * 3.6}>
      <Entry colour={colours.lowest} name={describeLowest(chart) ?? lowName(chart)} place={{}} />
      {lowestEver !== undefined && <Entry colour={colours.lowestEver} name={lowestEver} place={onItsOwn} />}
      <Entry colour={colours.muted} name="Average" place={onItsOwn} />
      <Entry colour={colours.band} name="Lowest to highest" place={behind} />
    </text>
  );
}

/** A name after a square in its colour. */
function Entry({ colour, name, place }: { colour: string; name: string; place: object }) {
  return (
    <>
      <tspan fill={colour} font-size="1.4em" {...place}>
        ■
      </tspan>
      {` ${name}`}
    </>
  );
}

/** The text without the characters that XML does not allow (XML 1.0 §2.2). */
function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must match them.
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, '');
}
