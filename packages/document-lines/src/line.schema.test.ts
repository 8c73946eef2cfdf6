import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { LINES_MAX, lineInput, linesInput } from './document-lines.ts';

const Lines = linesInput(lineInput('ExampleLineInput', 'price'));
const accepts = (lines: unknown) => Lines.safeParse(lines).success;
const ids = (count: number) => Array.from({ length: count }, () => randomUUID());

test('a document has 1 to 200 lines', () => {
  const counts = [0, 1, LINES_MAX, LINES_MAX + 1];
  const linesOf = (count: number) => Array.from({ length: count }, () => ({ qty: '1' }));
  expect(counts.map((count) => accepts(linesOf(count)))).toEqual([false, true, true, false]);
});

test.each<[string, object, boolean]>([
  ['no product', { product_id: null }, true],
  ['an id that is none', { product_id: 'P' }, false],
  ['an empty text', { description: ' ' }, false],
  ['a long text', { description: 'x'.repeat(2_000) }, true],
  ['too long a text', { description: 'x'.repeat(2_001) }, false],
  ['no quantity', { qty: '0' }, false],
  ['a negative price', { unit_price: '-1' }, false],
  ['no discount', { discount: null }, true],
  ['ten taxes', { tax_ids: ids(10) }, true],
  ['eleven taxes', { tax_ids: ids(11) }, false],
  ['a field that lines do not have', { price: '1' }, false],
])('a line with %s', (_, line, isAccepted) => expect(accepts([{ qty: '1', ...line }])).toBe(isAccepted));
