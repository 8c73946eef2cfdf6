import { describe, expect, test } from '@jest/globals';
import { resolveReferences, visitReferences } from './references.ts';

const bodies = new Map<string, unknown>([
  ['lead', { data: { id: 'a-1', score: 7, won: false, owner: { id: 'b/2' }, labels: ['x', 'y'], note: null } }],
  ['big', { data: 'x'.repeat(200_000) }],
]);
const find = (id: string) => (bodies.has(id) ? { body: bodies.get(id) } : undefined);
const resolve = (body: unknown, path = '/api/leads') => resolveReferences({ path, body }, find);
const faultOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('a text that is only a reference', () => {
  test.each([
    ['{{lead.data.id}}', 'a-1'],
    ['{{ lead.data.score }}', 7],
    ['{{lead.data.won}}', false],
    ['{{lead.data.owner}}', { id: 'b/2' }],
    ['{{lead.data.labels}}', ['x', 'y']],
    ['{{lead.data.labels.1}}', 'y'],
    ['{{lead.data.note}}', null],
  ])('%s becomes the value with its type', (text, value) => {
    expect(resolve({ lines: [{ field: text }] }).body).toEqual({ lines: [{ field: value }] });
  });
});

describe('a reference in a longer text', () => {
  test('is replaced by a text, a number or a truth value', () => {
    const { body } = resolve('Lead {{lead.data.id}} has {{lead.data.score}} points: {{lead.data.won}}');
    expect(body).toBe('Lead a-1 has 7 points: false');
  });

  test('is encoded in a path and in its query', () => {
    const { path } = resolve(undefined, '/api/user/{{lead.data.owner.id}}?q={{lead.data.owner.id}}&page=1');
    expect(path).toBe('/api/user/b%2F2?q=b%2F2&page=1');
  });

  test.each(['{{lead.data.owner}}', '{{lead.data.labels}}', '{{lead.data.note}}'])(
    'cannot be an object, a list or null: %s',
    (text) => {
      expect(faultOf(() => resolve(`x${text}`))).toMatchObject({
        code: 'reference_not_text',
        errors: { body: [expect.any(String)] },
      });
      expect(faultOf(() => resolve(undefined, `/api/lead/show/${text}`))).toMatchObject({ code: 'reference_not_text' });
    },
  );
});

test.each(['\\{{customer.name}}', 'Hello \\{{lead.data.id}}!'])('%s is plain text without its backslash', (text) => {
  expect(resolve(text).body).toBe(text.replace('\\', ''));
});

test.each(['{{', '}}', '{ {lead.data.id} }', '{lead.data.id}', '{{lead.data.id}'])('%s is plain text', (text) => {
  expect(resolve(text).body).toBe(text);
});

test.each([
  '{{}}',
  '{{lead}}',
  '{{lead.}}',
  '{{.data}}',
  '{{lead data}}',
  '{{#each lead}}',
  '{{lead.data[0]}}',
  `{{lead.${'x'.repeat(200)}}}`,
])('%s is an invalid reference, named by its field', (text) => {
  const visit = () => visitReferences({ body: { items: [text] } }, 'calls.0', () => undefined);
  expect(faultOf(visit)).toMatchObject({
    status: 422,
    code: 'invalid_reference',
    errors: { 'calls.0.body.items.0': [expect.any(String)] },
  });
});

test.each([
  'lead.data.nothing',
  'lead.data.id.length',
  'lead.data.labels.2',
  'lead.data.labels.length.x',
  'lead.__proto__.x',
  'lead.constructor.name',
  'lead.data.note.x',
])('%s is a missing field', (expression) => {
  expect(faultOf(() => resolve({ a: `{{${expression}}}` }))).toMatchObject({
    status: 422,
    code: 'reference_not_found',
    errors: { 'body.a': [expect.stringContaining('"lead"')] },
    details: { call: 'lead' },
  });
});

test('the result of a call that did not succeed is missing', () => {
  expect(faultOf(() => resolve('{{other.data.id}}'))).toMatchObject({
    code: 'dependency_failed',
    details: { call: 'other' },
  });
});

test('the values of one call have a largest total size', () => {
  expect(resolve('{{big.data}}').body).toHaveLength(200_000);
  expect(faultOf(() => resolve(['{{big.data}}', '{{big.data}}']))).toMatchObject({
    status: 413,
    code: 'reference_too_large',
  });
});

test('a field with the name __proto__ remains a field', () => {
  const body = JSON.parse('{"__proto__":{"admin":"{{lead.data.won}}"}}');
  expect(JSON.stringify(resolve(body).body)).toBe('{"__proto__":{"admin":false}}');
  expect({}).not.toHaveProperty('admin');
});
