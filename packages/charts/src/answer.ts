import { MEDIA, type Send } from '@suite/chassis';
import type { Chart } from './chart.ts';
import { drawPng, drawSvg } from './draw.ts';

/** Answers with a picture that no browser runs. */
const show =
  (type: string, content: Uint8Array): Send =>
  (response) => {
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': content.length,
      'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    });
    response.end(content);
    return Promise.resolve();
  };

/** The forms of an operation whose answer is also a chart: `formats: chartFormats(({ record, query }) => …)`. */
export const chartFormats = <Given>(chartOf: (given: Given) => Chart) => ({
  svg: async (given: Given): Promise<Send> => show(MEDIA.svg, Buffer.from(await drawSvg(chartOf(given)))),
  png: async (given: Given): Promise<Send> => show(MEDIA.png, await drawPng(chartOf(given))),
});
