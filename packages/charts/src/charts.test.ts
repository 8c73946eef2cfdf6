import { expect, test } from '@jest/globals';
import type { Chart } from './chart.ts';
import { drawPng, drawSvg } from './draw.ts';

const chart: Chart = {
  title: 'Burn-up of "Website" <b>',
  axis: ['2026-03-01', '2026-03-02', '2026-03-03'],
  unit: 'tasks',
  series: [
    { name: 'Scope & more', values: [10, 12, 12], shape: 'line' },
    { name: 'Completed', values: [1, null, 4], shape: 'line', dashed: true },
    { name: 'Hours', values: [2, 3, 4], shape: 'bar', stack: 'hours' },
  ],
};

test('draws a chart as SVG with all its texts and without scripts', async () => {
  const svg = await drawSvg(chart);
  expect(svg).toMatch(/^<svg [^>]*width="960" height="480"/);
  for (const text of ['Burn-up of', 'Scope &amp; more', 'Completed', '2026-03-02']) expect(svg).toContain(text);
  expect(svg).toContain('&lt;b&gt;');
  expect(svg).not.toMatch(/<script|<foreignObject|href=|<b>/i);
});

test('and as PNG, with its text', async () => {
  const png = Buffer.from(await drawPng(chart));
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_920, 960]);
  const without = await drawPng({ ...chart, title: '', unit: '', axis: ['', '', ''] });
  expect(png.length).toBeGreaterThan(without.length);
});

test.each([
  ['few', 4, 'Stage'],
  ['many', 14, 'Stage'],
  ['more', 30, 'Stage'],
  ['many long', 14, 'A stage with a rather long name'],
])('labels each of %s categories', async (_, count, name) => {
  const axis = Array.from({ length: count }, (_, at) => `${at + 1}. ${name}`);
  const values = axis.map((_, at) => at);
  const svg = await drawSvg({ ...chart, axis, series: [{ name: 'Cards', values, shape: 'bar' }] });
  for (const label of axis) expect(svg).toContain(`>${label.slice(0, 10)}`);
});

test('draws a chart without values, and a chart of a whole year', async () => {
  expect(await drawSvg({ ...chart, axis: [], series: [] })).toContain('<svg');
  const days = Array.from({ length: 366 }, (_, day) => `day ${day}`);
  const svg = await drawSvg({
    ...chart,
    axis: days,
    series: [{ name: 'Scope', values: days.map((_, at) => at), shape: 'line' }],
  });
  expect(svg).toContain('day 0');
});
