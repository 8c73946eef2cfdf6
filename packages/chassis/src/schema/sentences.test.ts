import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { Name, Qty } from './fields.ts';

/** Returns the first message about a value, and the kind of its issue. */
function told(schema: z.ZodType, value: unknown): [string, string] {
  const { code, message } = schema.safeParse(value).error!.issues[0]!;
  return [code, message];
}
const lines = (schema: z.ZodType, value: unknown) => told(z.object({ lines: schema }), { lines: value });

describe('the message for a wrong value', () => {
  test.each<[z.ZodType, unknown, string]>([
    [z.string(), 1, 'Enter text.'],
    [z.string(), null, 'Enter text.'],
    [z.string(), undefined, 'This field is required.'],
    [z.enum(['a', 'b']), undefined, 'This field is required.'],
    [z.number(), '1', 'Enter a number without quotation marks.'],
    [z.number(), Number.NaN, 'Enter a number without quotation marks.'],
    [z.int(), 1.5, 'Enter a whole number.'],
    [z.boolean(), 'yes', 'Use true or false.'],
    [z.array(z.string()), {}, 'Send a list.'],
    [z.object({}), [], 'Send an object.'],
    [z.record(z.string(), z.string()), [], 'Send an object.'],
    [z.date(), 'x', 'Enter a date.'],
    [z.never(), 1, 'This field is not allowed here. Remove it.'],
    [z.null(), 1, 'Leave this empty.'],
    [z.symbol(), 1, 'This value is not valid.'],
    [z.enum(['open', 'done']), 'x', 'Use one of: open, done.'],
    [z.literal(true), false, 'Use true.'],
    [z.string().min(1), '', 'Enter a value.'],
    [z.string().min(3), 'x', 'Enter at least 3 characters.'],
    [z.string().max(1), 'xx', 'Enter at most 1 character.'],
    [z.string().length(3), 'xx', 'Enter exactly 3 characters.'],
    [z.int().min(1), 0, 'Use a number of at least 1.'],
    [z.int().max(9), 10, 'Use a number of at most 9.'],
    [z.number().gt(0), 0, 'Use a number greater than 0.'],
    [z.number().lt(0), 0, 'Use a number less than 0.'],
    [z.number().multipleOf(5), 7, 'Use a multiple of 5.'],
    [z.date().min(new Date(1)), new Date(0), 'Choose a later date.'],
    [z.set(z.string()).min(1), new Set(), 'Add at least one entry.'],
    [z.email(), 'x', 'Enter an e-mail address such as ada@example.com.'],
    [z.url(), 'x', 'Enter a web address such as https://example.com.'],
    [z.uuid(), 'x', 'Enter a valid ID.'],
    [z.iso.date(), 'x', 'Enter a date as YYYY-MM-DD.'],
    [z.iso.datetime(), 'x', 'Enter a time such as 2026-11-21T05:11:37Z.'],
    [z.iso.time(), 'x', 'Enter a time of day as HH:MM.'],
    [z.string().regex(/a/), 'x', 'This value does not have the required format.'],
    [z.string().startsWith('a'), 'x', 'Begin with "a".'],
    [z.string().endsWith('a'), 'x', 'End with "a".'],
    [z.string().includes('a'), 'x', 'This must contain "a".'],
    [z.base64(), '##', 'This value does not have the required format.'],
    [z.strictObject({}), { a: 1 }, 'Unknown field. Remove it.'],
    [z.union([z.int(), z.boolean()]), 'x', 'This value is not valid.'],
    [z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]), { kind: 'b' }, 'Use a.'],
    [z.record(z.string().min(2), z.string()), { a: 'b' }, 'This name is not allowed here.'],
    [z.map(z.int(), z.int()), new Map([[1, 'x']]), 'Enter a number without quotation marks.'],
    [z.string().refine(() => false), 'x', 'This value is not valid.'],
  ])('is our own (case %#)', (schema, value, sentence) => {
    expect(told(schema, value)[1]).toBe(sentence);
  });

  test('names the kind of element in the list', () => {
    expect(lines(z.array(z.string()).min(1), [])).toEqual(['too_small', 'Add at least one line.']);
    expect(lines(z.array(z.string()).min(2), [])).toEqual(['too_small', 'Add at least 2 lines.']);
    const categories = z.object({ categories: z.array(z.string()).max(1), tax_ids: z.array(z.string()).max(3) });
    expect(told(categories, { categories: ['a', 'b'], tax_ids: [] })[1]).toBe('Add at most one category.');
    expect(told(categories, { categories: [], tax_ids: ['a', 'b', 'c', 'd'] })[1]).toBe('Add at most 3 taxes.');
  });

  test('is the message of the field if it has one', () => {
    expect(told(Qty, 3)[1]).toMatch(/^Enter a quantity/);
    expect(told(Name, '')[1]).toBe('Enter a value.');
  });
});

test('covers every kind of issue, without messages of the validator', () => {
  const english = z.locales.en().localeError;
  const codes = [
    'invalid_type',
    'too_big',
    'too_small',
    'invalid_format',
    'not_multiple_of',
    'unrecognized_keys',
  ] as const;
  for (const code of [
    ...codes,
    'invalid_union',
    'invalid_key',
    'invalid_element',
    'invalid_value',
    'custom',
  ] as const) {
    const issue = {
      code,
      input: 'x',
      path: [],
      expected: 'string',
      values: ['a'],
      keys: ['a'],
      errors: [],
      issues: [],
    };
    const asked = { ...issue, origin: 'number', minimum: 1, maximum: 1, divisor: 1, format: 'ulid', inclusive: true };
    const sentence = String(z.config().customError!(asked as never));
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(sentence).not.toBe(english(asked as never));
  }
});
