/** Draws charts. The libraries are loaded for the first chart, because many processes never draw one. */
import type { Chart, ChartSeries } from './chart.ts';
import { FAMILY, fontFiles } from './fonts.ts';

const SIZE = { width: 960, height: 480 };
/** Pixels per unit, sharp on high-resolution screens. */
const SCALE = 2;

const drawn = ({ name, values, shape, stack, dashed, color }: ChartSeries) => ({
  name,
  type: shape,
  data: [...values],
  ...(stack && { stack }),
  ...(color && { color }),
  ...(shape === 'line' && { showSymbol: false, lineStyle: { width: 2, type: dashed ? 'dashed' : 'solid' } }),
});

async function loadEcharts() {
  const [core, { BarChart, LineChart }, components, { SVGRenderer }] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ]);
  const { GridComponent, LegendComponent, TitleComponent } = components;
  core.use([BarChart, LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);
  return core;
}
let echarts: ReturnType<typeof loadEcharts> | undefined;

/** The width of the axis that its labels share, and the width of a character, in pixels. */
const AXIS_WIDTH = SIZE.width - 88;
const CHARACTER = 7;
const LABEL_MAX = 22;
/** Labels lie side by side, are turned, or stand upright, depending on their number and length. */
const ANGLES = [0, 40, 90] as const;
const LINE = 16;

/** Angles of the labels: horizontal, slanted or vertical, depending on their number and length. */
function labelsFor(axis: readonly string[]) {
  const room = AXIS_WIDTH / Math.max(1, axis.length);
  const longest = Math.min(LABEL_MAX, Math.max(0, ...axis.map((name) => name.length))) * CHARACTER;
  const isFree = (angle: number): boolean =>
    angle === 0 ? longest + CHARACTER <= room : angle === 40 ? room >= LINE * 1.6 : true;
  const rotate = ANGLES.find(isFree) ?? 90;
  // A long axis of consecutive days omits labels. All labels would be unreadable, and the omitted ones are easy to
  // infer.
  if (room < LINE) return { hideOverlap: true };
  return { interval: 0, rotate, formatter: shortened };
}

const shortened = (name: string): string => {
  const characters = [...name];
  return characters.length <= LABEL_MAX ? name : `${characters.slice(0, LABEL_MAX - 1).join('')}…`;
};

/** Draws a chart as SVG. Names in the chart are text, never markup. */
export async function drawSvg({ title, axis, unit, series }: Chart): Promise<string> {
  const { init } = await (echarts ??= loadEcharts());
  const picture = init(null, null, { renderer: 'svg', ssr: true, ...SIZE });
  try {
    picture.setOption({
      animation: false,
      textStyle: { fontFamily: `${FAMILY}, sans-serif` },
      title: { text: title, left: 16, top: 12, textStyle: { fontSize: 16 } },
      legend: { top: 14, right: 16 },
      // Reserves the space that the axis labels need.
      grid: { left: 24, right: 24, top: 64, bottom: 16, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
      xAxis: { type: 'category', data: [...axis], axisLabel: labelsFor(axis) },
      yAxis: { type: 'value', name: unit },
      series: series.map(drawn),
    });
    return picture.renderToSVGString();
  } finally {
    picture.dispose();
  }
}

/** Draws a chart as PNG with a bundled font, because servers have none. */
export async function drawPng(chart: Chart): Promise<Uint8Array> {
  const { renderAsync } = await import('@resvg/resvg-js');
  const picture = await renderAsync(await drawSvg(chart), {
    background: '#ffffff',
    fitTo: { mode: 'zoom', value: SCALE },
    font: { fontFiles: [...fontFiles], loadSystemFonts: false, defaultFontFamily: FAMILY },
  });
  return picture.asPng();
}
