/** The looks of a chart: sizes for wide and narrow windows, and light and dark colours. */

/** The colours of the pages (src/web/styles/page/colours.css). */
const COLOURS = {
  light: {
    ground: '#ffffff',
    ink: '#18212d',
    muted: '#556172',
    line: '#d8dee6',
    lowest: '#1a56b8',
    band: '#c9dbf6',
    lowestEver: '#14693c',
  },
  dark: {
    ground: '#171d26',
    ink: '#e6ebf1',
    muted: '#a2aebd',
    line: '#2c3643',
    lowest: '#8dbaff',
    band: '#24395a',
    lowestEver: '#7ed6a5',
  },
};

export const CHART_MEASURES = {
  wide: { width: 960, height: 420, fontSize: 13, margin: 20, legendLines: 1 },
  narrow: { width: 390, height: 360, fontSize: 12, margin: 18, legendLines: 3 },
};

export interface ChartLook {
  colours: keyof typeof COLOURS;
  measures: keyof typeof CHART_MEASURES;
}

/** The sizes and colours of a look. */
export const styleOf = ({ colours, measures }: ChartLook) => ({
  ...CHART_MEASURES[measures],
  colours: COLOURS[colours],
});
