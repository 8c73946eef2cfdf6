/** One row of figures, as long as the axis. Null leaves a gap. */
export interface Series {
  name: string;
  values: readonly (number | null)[];
  shape: 'line' | 'bar';
  /** Bars of one stack stand on each other. */
  stack?: string;
  dashed?: boolean;
  color?: string;
}

/** A chart: what stands along its axis, and the figures above it. */
export interface Chart {
  title: string;
  /** The names along the axis: days, stages, people. */
  axis: readonly string[];
  /** The unit of the figures: `h`, `EUR`, `tasks`. */
  unit: string;
  series: readonly Series[];
}
