import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { operations, sameAs, ok, open } from './operation/operation.ts';
import { Id, idCheckedBy, idOf, refTo } from './schema/fields.ts';
import { operationsOf, service } from './service.ts';

const { query, command } = operations<object>({ module: 'crm' });
const reply = ok(z.object({}));
const list = query('GET /api/leads', { summary: 'List', access: open, reply, handle: () => ({}) });
const create = command('POST /api/leads', { summary: 'Create', access: open, reply, handle: () => ({}) });
const contents = (modules: Record<string, object>) => ({
  name: 'crm',
  client: () => ({}),
  operations: modules,
  visibility: [],
});

test('a service knows its operations by their module and name, and takes nothing else for one', () => {
  const crm = service(
    contents({ leads: { list, create, TooLate: () => undefined, Lead: z.object({}), nothing: null, text: 'x' } }),
  );
  expect([...operationsOf(crm)]).toEqual([
    ['leads.list', expect.objectContaining({ kind: 'query', method: 'GET', path: '/api/leads', module: 'crm' })],
    ['leads.create', expect.objectContaining({ kind: 'command', method: 'POST', path: '/api/leads', module: 'crm' })],
  ]);
});

test('the same operation under a second route differs in nothing but that', () => {
  expect(sameAs(list, 'POST /api/board')).toEqual({ ...list, method: 'POST', path: '/api/board' });
});

test('a route belongs to one operation', () => {
  const again = sameAs(create, 'GET /api/leads');
  expect(() => service(contents({ leads: { list }, boards: { again } }))).toThrow('crm declares GET /api/leads twice.');
});

test('an id in a body says what it names', () => {
  const withBody = (body: z.ZodType) => {
    const save = command('POST /api/leads', { summary: 'Save', access: open, body, reply, handle: () => ({}) });
    return () => service(contents({ leads: { save } }));
  };
  const lines = z.strictObject({ lines: z.array(z.strictObject({ stage_id: Id.nullable().optional() })) });
  expect(withBody(lines)).toThrow('The body of leads.save has the id lines.*.stage_id: declare it as idOf,');
  expect(withBody(z.union([z.strictObject({}), z.strictObject({ ids: z.array(Id) })]))).toThrow('ids.*');
  const declared = { id: idOf('leads').optional(), stage_id: refTo('stages').describe('Where it goes.') };
  withBody(z.strictObject({ ...declared, customer_id: idCheckedBy('finance') }).partial())();
});
