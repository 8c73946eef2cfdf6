import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { formValues } from './form-values.ts';

const Body = z.strictObject({
  subject: z.string(),
  silent: z.boolean().optional(),
  count: z.int().min(1).optional(),
  due: z.iso.date().nullish(),
  tags: z.array(z.string()).max(3).optional(),
  sizes: z.array(z.int()).optional(),
  requester: z.object({ name: z.string().optional(), email: z.email(), vip: z.boolean().optional() }).optional(),
  target: z.union([z.literal('all'), z.array(z.string()), z.object({ branch: z.string() })]).optional(),
  lines: z.array(z.object({ text: z.string(), taxed: z.boolean() })).optional(),
});
const read = (fields: object) => formValues(Body, fields as Record<string, unknown>);

describe('a form', () => {
  test.each<[string, object, object]>([
    ['reads a truth value', { silent: 'true' }, { silent: true }],
    ['reads a number', { count: '12' }, { count: 12 }],
    ['reads a list of one element', { tags: 'vip' }, { tags: ['vip'] }],
    ['reads a repeated name as a list', { tags: ['a', 'b'] }, { tags: ['a', 'b'] }],
    ['reads a list in JSON', { sizes: '[1, 2]' }, { sizes: [1, 2] }],
    ['converts the elements of a list', { sizes: ['1', '2'] }, { sizes: [1, 2] }],
    ['reads an object in JSON', { requester: '{"email":"a@x.test"}' }, { requester: { email: 'a@x.test' } }],
    [
      'reads an object in brackets',
      { requester: { email: 'a@x.test', vip: 'false' } },
      { requester: { email: 'a@x.test', vip: false } },
    ],
    ['reads a list of objects', { lines: '[{"text":"x","taxed":true}]' }, { lines: [{ text: 'x', taxed: true }] }],
    ['reads the shape of a union that fits', { target: '{"branch":"b"}' }, { target: { branch: 'b' } }],
    ['reads the text of a union', { target: 'all' }, { target: 'all' }],
    ['reads an empty text as null where the field can be null', { due: '' }, { due: null }],
    ['keeps a text that looks like JSON', { subject: '{"a":1}' }, { subject: '{"a":1}' }],
    ['keeps a text that looks like a number', { subject: '12' }, { subject: '12' }],
  ])('%s', (_, sent, expected) => {
    expect(read(sent)).toEqual(expected);
  });

  test.each([
    ['a text that is not a boolean', { silent: 'yes' }, ['silent']],
    ['an object that is not JSON', { requester: '{"email":' }, ['requester']],
    ['an unknown field', { nonsense: '1' }, ['nonsense']],
    ['a wrong field of an object', { requester: { email: 'nobody' } }, ['requester', 'email']],
  ])('leaves the error in %s to the schema, which names the field', (_, sent, path) => {
    const { error } = Body.safeParse(read({ subject: 'x', ...sent }));
    const [issue] = error!.issues;
    expect(issue!.code === 'unrecognized_keys' ? issue.keys : issue!.path).toEqual(path);
  });
});
