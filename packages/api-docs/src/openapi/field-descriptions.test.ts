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

  describe('of a request', () => {
    const response = (properties: object) => ({
      200: { content: { 'application/json': { schema: schema({ data: schema(properties) }) } } },
    });
    const requested = (field: object, returned: object, lines = 'data: Result.\nprice: Price of one unit.') => {
      const operation = {
        operationId: 'deals.create',
        requestBody: schema({ price: field }),
        responses: response({ price: returned }),
      };
      const { document: found } = describeFields(
        { components: { schemas: {} }, paths: { '/api/deal': { post: operation } } },
        readDescriptions(lines),
      );
      const { paths } = found as unknown as { paths: Record<string, { post: typeof operation }> };
      return (paths['/api/deal']!.post.requestBody.properties as { price: { description: string } }).price.description;
    };
    const text = { type: 'string' };

    test('is the one of the same field in the response', () => {
      expect(requested(text, { ...text, description: 'Price of the deal.' })).toBe('Price of the deal.');
    });

    test('is its own line first, and the general line for another type', () => {
      const returned = { ...text, description: 'Price of the deal.' };
      expect(requested(text, returned, 'data: Result.\ndeals.create.price: Asking price.')).toBe('Asking price.');
      expect(requested({ type: 'object' }, returned)).toBe('Price of one unit.');
    });

    test('leaves out sentences about users who may not see the field', () => {
      const hidden = 'Price of the deal. `null` for users who do not manage it.';
      expect(requested(text, { ...text, description: hidden })).toBe('Price of the deal.');
    });
  });

  test('is the one of the kind of record, in all its schemas', () => {
    const lines = readDescriptions('price: Price of one unit.\ndeal.price: Price of the deal.');
    const schemas = { Deal: schema({ price: {} }), SavedDeal: schema({ price: {} }), Offer: schema({ price: {} }) };
    expect(describeFields(document(schemas), lines).document).toMatchObject({
      components: {
        schemas: {
          Deal: { properties: { price: { description: 'Price of the deal.' } } },
          SavedDeal: { properties: { price: { description: 'Price of the deal.' } } },
          Offer: { properties: { price: { description: 'Price of one unit.' } } },
        },
      },
    });
  });

  test('depends on a field `allowed_actions` in the same schema', () => {
    const lines = readDescriptions(
      'status: Status.\nstatus+allowed_actions: Status, with actions.\nallowed_actions: Actions.',
    );
    const schemas = { Deal: schema({ status: {}, allowed_actions: {} }), Offer: schema({ status: {} }) };
    expect(describeFields(document(schemas), lines).document).toMatchObject({
      components: {
        schemas: {
          Deal: { properties: { status: { description: 'Status, with actions.' } } },
          Offer: { properties: { status: { description: 'Status.' } } },
        },
      },
    });
  });

  test('does not change the document that it is given', () => {
    const given = document({ Lead: schema({ name: {} }) });
    describeFields(given, descriptions);
    expect(given).toEqual(document({ Lead: schema({ name: {} }) }));
  });
});
