/** Series of values, as long as the axis. Null leaves a gap. */
export interface ChartSeries {
  name: string;
  values: readonly (number | null)[];
  shape: 'line' | 'bar';
  /** Name of the stack. Bars of the same stack are drawn on top of each other. */
  stack?: string;
  dashed?: boolean;
  color?: string;
}

/** Chart: the labels along its axis, and the series above the axis. */
export interface Chart {
  title: string;
  /** The labels along the axis, such as days, stages or employees. */
  axis: readonly string[];
  /** Unit of the values: `h`, `EUR`, `tasks`. */
  unit: string;
  series: readonly ChartSeries[];
}
