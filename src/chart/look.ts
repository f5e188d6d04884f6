/** How charts look: measures for where they stand, colours for the ground around them. */

export interface ChartColours {
  ground: string;
  ink: string;
  muted: string;
  line: string;
  /** The lowest price. */
  accent: string;
  /** The prices between the lowest and the highest. */
  band: string;
  /** The lowest price ever. */
  mark: string;
}

export interface ChartMeasures {
  width: number;
  height: number;
  fontSize: number;
}

/** The colours of the pages (src/web/styles/page/colours.css). */
export const CHART_COLOURS = {
  light: {
    ground: '#ffffff',
    ink: '#18212d',
    muted: '#556172',
    line: '#d8dee6',
    accent: '#1a56b8',
    band: '#c9dbf6',
    mark: '#14693c',
  },
  dark: {
    ground: '#171d26',
    ink: '#e6ebf1',
    muted: '#a2aebd',
    line: '#2c3643',
    accent: '#8dbaff',
    band: '#24395a',
    mark: '#7ed6a5',
  },
} as const satisfies Record<string, ChartColours>;

export const CHART_MEASURES = {
  wide: { width: 960, height: 420, fontSize: 14 },
  narrow: { width: 390, height: 340, fontSize: 13 },
} as const satisfies Record<string, ChartMeasures>;

export interface ChartLook {
  colours: keyof typeof CHART_COLOURS;
  measures: keyof typeof CHART_MEASURES;
}
