import { expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import { parse } from '@suite/chassis/testing';
import { declaredServices } from '@suite/testing/declared';

type Schema = Parameters<typeof parse>[0];

/** A line that is valid in every document, with a description in several scripts: each change needs another font. */
const line = { description: 'a\u05d0\u0627\u4e00'.repeat(225), qty: '1', unit_price: '1.00' };
const documentOf = (lines: number) => ({ lines: Array.from({ length: lines }, () => line) });

const shapeOf = (schema?: Schema) => (schema?.def as { shape?: Record<string, Schema> } | undefined)?.shape ?? {};

/** Returns the names of the rejected fields. */
function rejectedFields(body: Schema, value: object): string[] {
  try {
    parse(body, value);
    return [];
  } catch (error) {
    return Object.keys((error as { errors?: object }).errors ?? {});
  }
}

/** Returns true if a line of the body accepts a description, as the lines of documents do. */
const hasDescribedLines = (body: Schema): boolean =>
  'lines' in shapeOf(body) && !rejectedFields(body, documentOf(1)).some((field) => field.startsWith('lines'));

/** Bills of vendors are not printed. */
const UNPRINTED = /^purchase/;

const found = declaredServices.flatMap((service) =>
  [...operationsOf(service)].flatMap(([id, { body }]) =>
    body && hasDescribedLines(body) && !UNPRINTED.test(id) ? [[id, body] as const] : [],
  ),
);

test('finds the documents that are printed', () => {
  expect(found.map(([id]) => id)).toEqual(
    expect.arrayContaining([
      'quotes.create',
      'quotes.update',
      'proposals.create',
      'salesOrders.create',
      'salesInvoices.create',
      'salesInvoices.update',
      'invoicesV1.create',
    ]),
  );
});

test.each(found)('%s rejects lines that no PDF can contain', (_, body) => {
  expect(rejectedFields(body, documentOf(10))).not.toContain('lines');
  expect(rejectedFields(body, documentOf(40))).toContain('lines');
});
