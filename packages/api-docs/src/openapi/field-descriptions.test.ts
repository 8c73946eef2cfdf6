import { describe, expect, test } from '@jest/globals';
import { describeFields, readDescriptions } from './field-descriptions.ts';

const document = (schemas: object, requestBody?: object) => ({
  components: { schemas: schemas as Record<string, never> },
  paths: { '/api/leads': { post: { operationId: 'leads.create', requestBody } } },
});
const descriptions = readDescriptions(
  [
    '# A comment',
    'name: Name.',
    'Lead.name: Name of the lead.',
    'leads.create.name: Name of the new lead.',
    'kind(task|bug): Whether it is a task or a bug.',
    'kind: Kind: of anything.',
    'owner.name: Name of the owner.',
    'tasks: Number of tasks.',
    'tasks[]: Tasks.',
  ].join('\n'),
);
const described = (schemas: object, requestBody?: object) =>
  describeFields(document(schemas, requestBody), descriptions);
const schema = (properties: object) => ({ type: 'object', properties });

describe('the description of a field', () => {
  test('is the one of its schema, of its operation, or of its name', () => {
    const found = described({ Lead: schema({ name: {} }), Deal: schema({ name: {} }) }, schema({ name: {} }));
    const { components, paths } = found.document as never as Record<string, never>;
    expect(components).toMatchObject({
      schemas: {
        Lead: { properties: { name: { description: 'Name of the lead.' } } },
        Deal: { properties: { name: { description: 'Name.' } } },
      },
    });
    expect(paths).toMatchObject({
      '/api/leads': { post: { requestBody: { properties: { name: { description: 'Name of the new lead.' } } } } },
    });
  });

  test.each([
    ['by its values', { enum: ['task', 'bug'] }, 'Whether it is a task or a bug.'],
    ['by the values of a list', { type: 'array', items: { enum: ['task', 'bug'] } }, 'Whether it is a task or a bug.'],
    [
      'by its values in addition to null',
      { anyOf: [{ enum: ['task', 'bug'] }, { type: 'null' }] },
      'Whether it is a task or a bug.',
    ],
    ['by its name for other values', { enum: ['task'] }, 'Kind: of anything.'],
    ['by its schema first', { enum: ['task'], description: 'Own.' }, 'Own.'],
  ])('is found %s', (_, field, description) => {
    expect(described({ Lead: schema({ kind: field }) }).document).toMatchObject({
      components: { schemas: { Lead: { properties: { kind: { description } } } } },
    });
  });

  test('is found in nested schemas, and reported where it is missing or unused', () => {
    const nested = schema({ lines: { description: 'Lines.', type: 'array', items: schema({ name: {}, qty: {} }) } });
    const { missing, unused } = described({ Order: nested });
    expect(missing).toEqual(['Order.qty']);
    expect(unused).toEqual([
      'Lead.name',
      'leads.create.name',
      'kind(task|bug)',
      'kind',
      'owner.name',
      'tasks',
      'tasks[]',
    ]);
  });

  test('is found by the containing field, and by the type list', () => {
    const properties = { owner: { description: 'Owner.', ...schema({ name: {} }) }, tasks: { type: 'array' } };
    expect(
      described({ Deal: schema(properties), Board: schema({ tasks: { type: 'integer' } }) }).document,
    ).toMatchObject({
      components: {
        schemas: {
          Deal: {
            properties: {
              owner: { properties: { name: { description: 'Name of the owner.' } } },
              tasks: { description: 'Tasks.' },
            },
          },
          Board: { properties: { tasks: { description: 'Number of tasks.' } } },
        },
      },
    });
  });

  test.each([
    ['completes a default', { description: 'Defaults to the caller.' }, 'Name. Defaults to the caller.'],
    ['keeps a description of its own', { description: 'Full name.' }, 'Full name.'],
    [
      'is the one of the value that is not null',
      { anyOf: [{ description: 'Full name.' }, { type: 'null' }] },
      'Full name.',
    ],
  ])('%s', (_, field, description) => {
    expect(described({ Deal: schema({ name: field }) }).document).toMatchObject({
      components: { schemas: { Deal: { properties: { name: { description } } } } },
    });
  });

  test('does not change the document that it is given', () => {
    const given = document({ Lead: schema({ name: {} }) });
    describeFields(given, descriptions);
    expect(given).toEqual(document({ Lead: schema({ name: {} }) }));
  });
});
