import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { inner, innerFields } from './fields.ts';
import { marked } from './schema-walk.ts';

const Product = z.object({
  name: z.string(),
  stock: inner(z.array(z.object({ on_hand: z.string(), value: inner(z.string(), 'product.cost') }))),
});
const pathsOf = (nested: boolean) =>
  marked((field) => innerFields.get(field), { nested })(Product).map(({ path }) => path.join('.'));

test('finds marked fields within marked fields on request', () => {
  expect(pathsOf(true)).toEqual(['stock', 'stock.*.value']);
  expect(pathsOf(false)).toEqual(['stock']);
});
