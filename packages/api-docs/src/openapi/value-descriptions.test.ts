import { describe, expect, test } from '@jest/globals';
import { describeValues, readMeanings } from './value-descriptions.ts';

const meanings = readMeanings(
  [
    '# A comment',
    'status(draft|sent)',
    '  draft: In preparation.',
    '  sent: Sent: to the customer.',
    'status',
    '  draft: Any draft.',
    '  done: Done.',
  ].join('\n'),
);
const described = (properties: object, parameters: object[] = []) =>
  describeValues({ components: { schemas: { Quote: { properties } } }, paths: { '/quotes': parameters } }, meanings);
const fieldOf = (status: object) =>
  (described({ status }).document as never as Record<string, Record<string, Record<string, object>>>)['components']!;
const values = { draft: 'In preparation.', sent: 'Sent: to the customer.' };

describe('the meanings of an enumeration', () => {
  test.each([
    ['a field', { enum: ['draft', 'sent'] }, { 'x-enumDescriptions': values }],
    ['a list', { items: { enum: ['draft', 'sent'] } }, { items: { 'x-enumDescriptions': values } }],
    [
      'a map',
      { additionalProperties: { enum: ['draft', 'sent'] } },
      { additionalProperties: { 'x-enumDescriptions': values } },
    ],
    [
      'a field that can be null',
      { anyOf: [{ enum: ['draft', 'sent', null] }, { type: 'null' }] },
      { anyOf: [{ 'x-enumDescriptions': values }, { type: 'null' }] },
    ],
  ])('are added to %s with exactly these values', (_, field, expected) => {
    expect(fieldOf(field)).toMatchObject({ schemas: { Quote: { properties: { status: expected } } } });
  });

  test('are found by the name for other values', () => {
    expect(fieldOf({ enum: ['draft', 'done'] })).toMatchObject({
      schemas: {
        Quote: { properties: { status: { 'x-enumDescriptions': { draft: 'Any draft.', done: 'Done.' } } } },
      },
    });
  });

  test('are added to parameters, except for operators', () => {
    const schema = { enum: ['draft', 'sent'] };
    const parameters = [
      { in: 'query', name: 'status', schema },
      { in: 'query', name: 'status[in]', schema },
    ];
    const { document } = described({}, parameters);
    expect(document).toMatchObject({ paths: { '/quotes': [{ schema: { 'x-enumDescriptions': values } }, {}] } });
    expect(JSON.stringify(document).match(/x-enumDescriptions/g)).toHaveLength(1);
  });

  test('are reported where they are missing or unused', () => {
    const { missing, unused } = described({ status: { enum: ['draft', 'lost'] } });
    expect(missing).toEqual(['status(draft|lost) lost']);
    expect(unused).toEqual(['status(draft|sent) draft', 'status(draft|sent) sent', 'status done']);
  });

  test('are not required for codes of errors and for single values', () => {
    const { missing } = described({ code: { enum: ['in_use', 'stale'] }, kind: { enum: ['only'] } });
    expect(missing).toEqual([]);
  });
});
