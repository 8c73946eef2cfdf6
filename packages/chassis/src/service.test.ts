import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { operations, sameAs, ok, open } from './operation/operation.ts';
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
