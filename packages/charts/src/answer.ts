import { MEDIA, type ResponseWriter } from '@suite/chassis/operations';
import type { Chart } from './chart.ts';
import { drawPng, drawSvg } from './draw.ts';

/** Returns an image in which browsers run no scripts. */
const show =
  (type: string, content: Uint8Array): ResponseWriter =>
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

/**
 * Returns the response formats of an operation that also returns a chart: `formats: chartFormats(({ record, query }) =>
 * …)`.
 */
export const chartFormats = <Given>(chartOf: (given: Given) => Chart) => ({
  svg: async (given: Given): Promise<ResponseWriter> => show(MEDIA.svg, Buffer.from(await drawSvg(chartOf(given)))),
  png: async (given: Given): Promise<ResponseWriter> => show(MEDIA.png, await drawPng(chartOf(given))),
});
