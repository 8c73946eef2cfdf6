import { describe, expect, test } from '@jest/globals';
import { breakingChanges } from './breaking-changes.ts';
import type { Json } from './schemas.ts';

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
function edition(): Document & Json {
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
  const changed = edition();
  change(changed);
  return breakingChanges(edition(), changed).map(({ subject, sentence }) => `${subject}: ${sentence}`);
}

const operationOf = ({ paths }: Document) => paths[ROUTE]!['post']!;
const inputOf = ({ components }: Document) => components.schemas.LeadInput;
const leadOf = ({ components }: Document) => components.schemas.Lead;
const UPDATE = `POST ${ROUTE}`;

describe('breaks a client of the earlier edition', () => {
  const cases: [string, (document: Document) => void, string][] = [
    ['a removed operation', ({ paths }) => delete paths[ROUTE], `${UPDATE}: is gone`],
    [
      'another operationId',
      (document) => Object.assign(operationOf(document), { operationId: 'leads.change' }),
      `${UPDATE}: has the operationId leads.change, and had leads.update`,
    ],
    [
      'another permission',
      (document) => Object.assign(operationOf(document), { 'x-permission': 'lead.edit' }),
      `${UPDATE}: needs the permission lead.edit`,
    ],
    [
      'a removed parameter',
      (document) => operationOf(document).parameters.pop(),
      `${UPDATE}: query dry_run is no longer taken`,
    ],
    [
      'a parameter that is required',
      (document) => operationOf(document).parameters.push({ in: 'query', name: 'reason', required: true }),
      `${UPDATE}: query reason is required`,
    ],
    ['a removed body', (document) => delete operationOf(document)['requestBody'], `${UPDATE}: takes no body`],
    [
      'a field that is required',
      (document) => inputOf(document).required.push('email'),
      'LeadInput: request.email is required',
    ],
    [
      'a field that is no longer taken',
      (document) => delete inputOf(document).properties['email'],
      'LeadInput: request.email is no longer taken',
    ],
    [
      'a word that is no longer taken',
      (document) => Object.assign(inputOf(document).properties['status']!, { enum: ['open'] }),
      'LeadInput: request.status no longer takes "won"',
    ],
    [
      'null that is no longer taken',
      (document) => Object.assign(inputOf(document).properties['email']!, { type: 'string' }),
      'LeadInput: request.email no longer takes null',
    ],
    [
      'a narrower limit',
      (document) => Object.assign(inputOf(document).properties['name']!, { maxLength: 100 }),
      'LeadInput: request.name has another maxLength: 200, now 100',
    ],
    [
      'another type of a parameter',
      (document) => Object.assign(operationOf(document).parameters[0]!, { schema: { type: 'integer' } }),
      `${UPDATE}: path 1 was string uuid, and is integer`,
    ],
    [
      'a removed response field',
      (document) => delete leadOf(document).properties['email'],
      'Lead: response.email is gone',
    ],
    [
      'a field of the answer that can be missing',
      (document) => leadOf(document).required.pop(),
      'Lead: response.status can be missing',
    ],
    [
      'an unknown value in the response',
      (document) => Object.assign(leadOf(document).properties['status']!, { enum: ['open', 'won', 'lost'] }),
      'Lead: response.status can be "lost"',
    ],
    [
      'null in the answer',
      (document) => Object.assign(leadOf(document).properties['email']!, { type: ['string', 'null'] }),
      'Lead: response.email can be null',
    ],
    [
      'another status',
      (document) => {
        const { responses } = operationOf(document);
        responses['201'] = responses['200']!;
        delete responses['200'];
      },
      `${UPDATE}: no longer answers 200`,
    ],
    [
      'a removed header',
      (document) => Object.assign(operationOf(document).responses['200']!, { headers: {} }),
      `${UPDATE}: answers without the header ETag`,
    ],
  ];

  test.each(cases)('by %s', (_, change, sentence) => {
    expect(after(change)).toEqual([sentence]);
  });
});

describe('does not break a client of the earlier edition', () => {
  const cases: [string, (document: Document) => void][] = [
    ['nothing', () => {}],
    ['another name of a variable in the path', ({ paths }) => renamed(paths)],
    [
      'a field that may be sent',
      (document) => Object.assign(inputOf(document).properties, { phone: { type: 'string' } }),
    ],
    ['a field that may be left out', (document) => inputOf(document).required.pop()],
    [
      'a field that is answered, too',
      (document) => Object.assign(leadOf(document).properties, { phone: { type: 'string' } }),
    ],
    ['a wider limit', (document) => Object.assign(inputOf(document).properties['name']!, { maxLength: 300 })],
    [
      'a word that is taken, too',
      (document) => (inputOf(document).properties['status']!['enum'] as string[]).push('lost'),
    ],
    ['a refusal with another status', (document) => Object.assign(operationOf(document).responses, { 423: {} })],
    ['an operation that anybody may call', (document) => delete operationOf(document)['x-permission']],
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

  test.each(cases)('by %s', (_, change) => {
    expect(after(change)).toEqual([]);
  });
});
