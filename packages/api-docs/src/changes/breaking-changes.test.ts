import { describe, expect, test } from '@jest/globals';
import { breakingChanges } from './breaking-changes.ts';
import type { Json } from '../schemas.ts';

interface Lead {
  properties: Record<string, Json>;
  required: string[];
}

interface Document {
  paths: Record<string, Record<string, Json & { parameters: Json[]; responses: Record<string, Json> }>>;
  components: { schemas: { Lead: Lead; LeadInput: Lead } };
}

const ROUTE = '/api/lead/update/{id}';
const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });

/** Returns a document with one operation. Its schemas are named, as in the API docs. */
function release(): Document & Json {
  const operation = {
    operationId: 'leads.update',
    'x-permission': 'lead.update',
    parameters: [
      { in: 'path', name: 'id', required: true, schema: { type: 'string', format: 'uuid' } },
      { in: 'query', name: 'dry_run', schema: { type: 'boolean' } },
    ],
    requestBody: { required: true, content: content('LeadInput') },
    responses: { 200: { headers: { ETag: {} }, content: content('Lead') }, 409: { content: content('Fault') } },
  };
  const name = { type: 'string', minLength: 1, maxLength: 200 };
  const status = { type: 'string', enum: ['open', 'won'] };
  const related = { type: 'array', items: { $ref: '#/components/schemas/Lead' } };
  const Lead: Lead = { properties: { name, status, related, email: { type: 'string' } }, required: ['name', 'status'] };
  const LeadInput: Lead = { properties: { name, email: { type: ['string', 'null'] }, status }, required: ['name'] };
  const document = {
    openapi: '3.1.0',
    paths: { [ROUTE]: { post: operation } },
    components: { schemas: { Lead, LeadInput } },
  };
  // A deep copy, so that a change of one document does not affect another.
  return JSON.parse(JSON.stringify(document));
}

/** Returns the breaking changes of a document after this change. */
function after(change: (document: Document) => void): string[] {
  const changed = release();
  change(changed);
  return breakingChanges(release(), changed).map(({ subject, sentence }) => `${subject}: ${sentence}`);
}

const operationOf = ({ paths }: Document) => paths[ROUTE]!['post']!;
const inputOf = ({ components }: Document) => components.schemas.LeadInput;
const leadOf = ({ components }: Document) => components.schemas.Lead;
const UPDATE = `POST ${ROUTE}`;

describe('a breaking change', () => {
  const cases: [string, (document: Document) => void, string][] = [
    ['a removed operation', ({ paths }) => delete paths[ROUTE], `${UPDATE}: was removed`],
    [
      'another operationId',
      (document) => Object.assign(operationOf(document), { operationId: 'leads.change' }),
      `${UPDATE}: changed its operationId from leads.update to leads.change`,
    ],
    [
      'another permission',
      (document) => Object.assign(operationOf(document), { 'x-permission': 'lead.edit' }),
      `${UPDATE}: requires the permission lead.edit`,
    ],
    [
      'a removed parameter',
      (document) => operationOf(document).parameters.pop(),
      `${UPDATE}: query dry_run is no longer accepted`,
    ],
    [
      'a parameter that is required',
      (document) => operationOf(document).parameters.push({ in: 'query', name: 'reason', required: true }),
      `${UPDATE}: query reason is now required`,
    ],
    [
      'a removed body',
      (document) => delete operationOf(document)['requestBody'],
      `${UPDATE}: no longer accepts a body`,
    ],
    [
      'a field that is required',
      (document) => inputOf(document).required.push('email'),
      'LeadInput: request.email is now required',
    ],
    [
      'a field that is no longer accepted',
      (document) => delete inputOf(document).properties['email'],
      'LeadInput: request.email is no longer accepted',
    ],
    [
      'a value that is no longer accepted',
      (document) => Object.assign(inputOf(document).properties['status']!, { enum: ['open'] }),
      'LeadInput: request.status no longer accepts "won"',
    ],
    [
      'null that is no longer accepted',
      (document) => Object.assign(inputOf(document).properties['email']!, { type: 'string' }),
      'LeadInput: request.email no longer accepts null',
    ],
    [
      'a narrower limit',
      (document) => Object.assign(inputOf(document).properties['name']!, { maxLength: 100 }),
      'LeadInput: request.name changed its maxLength from 200 to 100',
    ],
    [
      'another type of a parameter',
      (document) => Object.assign(operationOf(document).parameters[0]!, { schema: { type: 'integer' } }),
      `${UPDATE}: path 1 changed from string uuid to integer`,
    ],
    [
      'a removed response field',
      (document) => delete leadOf(document).properties['email'],
      'Lead: response.email was removed',
    ],
    [
      'a response field that can be missing',
      (document) => leadOf(document).required.pop(),
      'Lead: response.status can now be missing',
    ],
    [
      'an unknown value in the response',
      (document) => Object.assign(leadOf(document).properties['status']!, { enum: ['open', 'won', 'lost'] }),
      'Lead: response.status can now be "lost"',
    ],
    [
      'null in the response',
      (document) => Object.assign(leadOf(document).properties['email']!, { type: ['string', 'null'] }),
      'Lead: response.email can now be null',
    ],
    [
      'another status',
      (document) => {
        const { responses } = operationOf(document);
        responses['201'] = responses['200']!;
        delete responses['200'];
      },
      `${UPDATE}: no longer returns 200`,
    ],
    [
      'a removed header',
      (document) => Object.assign(operationOf(document).responses['200']!, { headers: {} }),
      `${UPDATE}: no longer returns the header ETag`,
    ],
  ];

  test.each(cases)('is reported: %s', (_, change, sentence) => {
    expect(after(change)).toEqual([sentence]);
  });
});

describe('a compatible change', () => {
  const cases: [string, (document: Document) => void][] = [
    ['no difference', () => {}],
    ['another name of a variable in the path', ({ paths }) => renamed(paths)],
    [
      'an additional optional field',
      (document) => Object.assign(inputOf(document).properties, { phone: { type: 'string' } }),
    ],
    ['a field that may be omitted', (document) => inputOf(document).required.pop()],
    [
      'an additional response field',
      (document) => Object.assign(leadOf(document).properties, { phone: { type: 'string' } }),
    ],
    ['a wider limit', (document) => Object.assign(inputOf(document).properties['name']!, { maxLength: 300 })],
    [
      'an additional accepted value',
      (document) => (inputOf(document).properties['status']!['enum'] as string[]).push('lost'),
    ],
    ['an error with another status', (document) => Object.assign(operationOf(document).responses, { 423: {} })],
    ['an operation that no longer requires a permission', (document) => delete operationOf(document)['x-permission']],
    ['another name of a schema', (document) => renameSchema(document)],
  ];

  const renamed = (paths: Document['paths']) => {
    paths['/api/lead/update/{lead_id}'] = paths[ROUTE]!;
    delete paths[ROUTE];
  };
  const renameSchema = (document: Document) => {
    const text = JSON.stringify(document)
      .replaceAll('schemas/Lead"', 'schemas/Prospect"')
      .replaceAll('"Lead":', '"Prospect":');
    Object.assign(document, JSON.parse(text));
  };

  test.each(cases)('is not reported: %s', (_, change) => {
    expect(after(change)).toEqual([]);
  });
});
