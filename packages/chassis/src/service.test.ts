import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type LifecycleDiagram, lifecycle } from './lifecycle/lifecycle.ts';
import { Actions } from './lifecycle/shown-actions.ts';
import { type Operation, operations, withRoute, ok } from './operation/operation.ts';
import { withPermission, can, open, requiredPermissions } from './operation/access.ts';
import { type OwnedKind, ownedKind, type Reference, referencesTo } from './references/reference.ts';
import { foreignId, Id, idCheckedBy, idOf, refTo } from './schema/fields.ts';
import { operationsOf, service } from './service.ts';
import { anyOf, ownedBy } from './visibility/condition.ts';
import { visibility } from './visibility/visibility.ts';

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

test('knows its operations by module and name, and accepts nothing else as one', () => {
  const crm = service(
    contents({ leads: { list, create, TooLate: () => undefined, Lead: z.object({}), nothing: null, text: 'x' } }),
  );
  expect([...operationsOf(crm)]).toEqual([
    ['leads.list', expect.objectContaining({ kind: 'query', method: 'GET', path: '/api/leads', module: 'crm' })],
    ['leads.create', expect.objectContaining({ kind: 'command', method: 'POST', path: '/api/leads', module: 'crm' })],
  ]);
});

test('a second route differs from its operation in the route only', () => {
  expect(withRoute(list, 'POST /api/board')).toEqual({ ...list, method: 'POST', path: '/api/board' });
});

test('a public operation that receives files checks its token first', () => {
  const upload = { field: 'file', kinds: 'documents' } as const;
  const send = { ...create, path: '/api/files', upload };
  expect(() => service(contents({ files: { send } }))).toThrow(
    'files.send is public and receives files: declare how its token is found.',
  );
});

test('a route belongs to one operation', () => {
  const again = withRoute(create, 'GET /api/leads');
  expect(() => service(contents({ leads: { list }, boards: { again } }))).toThrow('crm declares GET /api/leads twice.');
});

test('requires each ID in a body to declare what it names', () => {
  const withBody = (body: z.ZodType) => {
    const save = command('POST /api/leads', { summary: 'Save', access: open, body, reply, handle: () => ({}) });
    return () => service(contents({ leads: { save } }));
  };
  const lines = z.strictObject({ lines: z.array(z.strictObject({ stage_id: Id.nullable().optional() })) });
  expect(withBody(lines)).toThrow('The body of leads.save has the ID lines.*.stage_id: declare it as idOf,');
  expect(withBody(z.union([z.strictObject({}), z.strictObject({ ids: z.array(Id) })]))).toThrow('ids.*');
  const declared = { id: idOf('leads').optional(), stage_id: refTo('stages').describe('Where it goes.') };
  withBody(z.strictObject({ ...declared, customer_id: idCheckedBy('no service, in this test') }).partial())();
});

test('requires an ID of another service to declare its checker', () => {
  const body = z.strictObject({ customer_id: foreignId('finance.customer').optional() });
  const declaration = { summary: 'Save', access: open, body, reply, handle: () => ({}) };
  const save = command('POST /api/leads', declaration);
  const columns = { leads: 'customer_id' };
  const withReferences = (...references: Reference[]) => service({ ...contents({ leads: { save } }), references });
  expect(() => withReferences()).toThrow(
    'The body of leads.save refers to a finance.customer (customer_id). Declare its check in',
  );
  const unchecked = referencesTo('finance.customer', { checked_by: 'These records are never named.', columns });
  expect(() => withReferences(unchecked)).toThrow('refers to a finance.customer');
  withReferences(referencesTo('finance.customer', { checked_by: [() => undefined], columns }));
  withReferences(referencesTo('finance.customer', { usable: () => Promise.resolve([]), columns }));
  const promised = z.strictObject({ customer_id: idCheckedBy('finance') });
  const broken = command('POST /api/leads', { ...declaration, body: promised });
  const calls = { finance: {} } as never;
  expect(() => service({ ...contents({ leads: { save: broken } }), calls })).toThrow('declare it as foreignId');
});

test('an operation that deletes referenced records needs their table', () => {
  const remove = command('DELETE /api/leads/{id}', {
    summary: 'Delete',
    access: open,
    params: { id: idOf('leads') },
    reply,
    deletes: 'crm.lead',
    handle: () => ({}),
  });
  const withOwned = (...owns: OwnedKind[]) => service({ ...contents({ leads: { remove } }), owns });
  expect(() => withOwned()).toThrow('leads.remove deletes a crm.lead: declare it in `owns`');
  const others = { referrers: [], instead: 'Keep it.' };
  expect(() => withOwned(ownedKind('crm.lead', { table: 'deals', ...others }))).toThrow('leads.remove deletes');
  withOwned(ownedKind('crm.lead', { table: 'leads', ...others }));
});

describe('a service with a lifecycle', () => {
  const states = lifecycle(
    'offer',
    { draft: { send: 'sent' }, sent: { expire: 'expired' }, expired: {} },
    {
      actions: {
        send: 'offer.update',
        remove: { permission: 'offer.remove', by: 'offers.remove', in: ['draft'] },
        expire: { by: 'crm.expire' },
      },
    },
  );
  const does = { summary: 'Do', reply, handle: () => ({}) };
  const send = command('POST /api/offer/send', { ...does, access: states.can('send') });
  const remove = command('DELETE /api/offer', { ...does, access: can('offer.remove') });
  const schedules = [{ name: 'crm.expire', interval_ms: 1, work: () => Promise.resolve() }];
  const start = (offers: object, lifecycles: readonly LifecycleDiagram[] = [states], at = schedules) =>
    service({ ...contents({ offers }), lifecycles, schedules: at });

  test('starts if operations or automatic work perform every action', () => {
    expect(() => start({ send, remove })).not.toThrow();
    expect(send.access).toEqual({
      kind: 'permission',
      permission: 'offer.update',
      does: { noun: 'offer', actions: ['send'] },
    });
  });

  test('needs a declared owner where callers see more than their record scope', () => {
    const limited = anyOf("offers.status = 'sent'", ownedBy('created_by'));
    const declared = [visibility('offers', { noun: 'offer', limited })];
    const startWith = (life: LifecycleDiagram) =>
      service({ ...contents({ offers: { send, remove } }), lifecycles: [life], schedules, visibility: declared });
    expect(() => startWith(states)).toThrow(
      'offers shows records beyond the record scope: declare the `owner` of offer.',
    );
    expect(() => startWith({ ...states, owner: 'created_by' })).not.toThrow();
  });

  test('does not start if an action has no actor or another permission', () => {
    expect(() => start({ remove })).toThrow('Nothing performs offer.send');
    expect(() => start({ send })).toThrow('offer.remove names the operation offers.remove, which does not exist.');
    expect(() => start({ send, remove }, [states], [])).toThrow(
      'offer.expire names the operation crm.expire, which does not exist.',
    );
    const other = command('DELETE /api/offer', { ...does, access: can('offer.update') });
    expect(() => start({ send, remove: other })).toThrow(
      'offer.remove requires offer.remove, but its operation offers.remove does not.',
    );
  });

  test('requires both permissions of an action, to see it and to perform it', () => {
    const two = lifecycle(
      'offer',
      { draft: {} },
      {
        actions: {
          print: { permission: 'offer.update', also: 'offer.cost' },
          copy: { permission: 'offer.update', also: 'offer.cost', by: 'offers.copy' },
          remove: 'offer.update',
        },
      },
    );
    const may = (...permissions: string[]) => two.allowedTo({ permissions } as never, { status: 'draft' });
    expect(may('offer.update', 'offer.cost')).toEqual(['print', 'copy', 'remove']);
    expect([may('offer.update'), may('offer.cost')]).toEqual([['remove'], []]);
    const print = command('POST /api/offer/print', { ...does, access: two.can('print') });
    expect(requiredPermissions(print)).toEqual(['offer.update', 'offer.cost']);
    const gone = command('DELETE /api/offer', { ...does, access: two.can('remove') });
    const copyBy = (access: Operation['access']) => command('POST /api/offer/copy', { ...does, access });
    const begin = (copy: object) => () => start({ print, remove: gone, copy }, [two], []);
    expect(begin(copyBy(withPermission(can('offer.update'), 'offer.cost')))).not.toThrow();
    expect(begin(copyBy(can('offer.update')))).toThrow(
      'offer.copy requires offer.cost, but its operation offers.copy does not.',
    );
    expect(() => two.can('print', 'remove')).toThrow('offer: print, remove must require the same permission');
  });

  test('lists each lifecycle that its operations use, once', () => {
    expect(() => start({ send, remove }, [])).toThrow('offers.send does offer.send: list that lifecycle');
    expect(() => start({ send, remove }, [states, states])).toThrow('offer has two lifecycles.');
    const show = query('GET /api/offer', {
      ...does,
      access: open,
      reply: ok(z.object({ a: Actions(states) })),
      handle: () => ({ a: [] }),
    });
    expect(() => start({ show }, [])).toThrow('offers.show shows the actions of offer: list it in `lifecycles`.');
  });

  test('has one target state for each verb, and one permission for each operation', () => {
    const two = { a: { go: 'b' }, b: { go: 'a' } } as const;
    expect(() => lifecycle('offer', two, { actions: { go: 'offer.go' } })).toThrow('offer: go leads to both b and a.');
    expect(() => states.can('send', 'remove')).toThrow('offer: send, remove must require the same permission');
  });
});
