/**
 * Charts as SVG and PNG, drawn on the server, so that a frontend has an image immediately. The package calculates
 * nothing.
 */
export type { Chart, ChartSeries } from './chart.ts';
export { chartFormats } from './answer.ts';
