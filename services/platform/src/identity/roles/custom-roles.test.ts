import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Member, start, sortedStatuses, runConcurrently, eventTypesOf } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { signInAs } from '../../../test/bearer.ts';
import { authenticate, invitation, openWorkspace, type TestWorkspace } from '../../../test/workspace.ts';

const platform = await start({ ...contents, schedules: [] });
let acme: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
});

let roleCount = 0;
const input = (more: object = {}) => ({ name: `Scouts ${(roleCount += 1)}`, permissions: ['lead.view'], ...more });

async function make(by: Member, more: object = {}) {
  const { status, body } = await by.post('/api/roles/create', input(more));
  expect(status).toBe(201);
  return body.data;
}

/** Creates a member who may manage roles and has the named permissions. */
async function clerk(...permissions: string[]): Promise<Member> {
  const rights = { permissions: ['role.view', 'role.create', 'role.update', 'role.delete', ...permissions] };
  const owner = await acme.as('owner');
  const role = await make(owner, { ...rights, record_scopes: { lead: 'own' } });
  return await bearerOf(role.id);
}

/** Creates a user with a role. */
async function bearerOf(role_id: string): Promise<Member> {
  const owner = await acme.as('owner');
  const { id, email } = (await owner.post('/api/user/store', invitation(acme, { role_id }))).body.data;
  return await signInAs(platform, acme, { id, email });
}

describe('a custom role', () => {
  test('offers its actions to callers whose own role covers it', async () => {
    const owner = await acme.as('owner');
    const { id, allowed_actions } = await make(owner, { permissions: ['lead.view', 'deal.view'] });
    expect(allowed_actions).toEqual(['update', 'delete']);
    const actions = async (by: Member, query: string) =>
      (await by.get(`/api/roles?${query}`)).body.data.map((role: typeof allowed_actions) => role.allowed_actions);
    expect(await actions(owner, `id=${id}`)).toEqual([['update', 'delete']]);
    expect(await actions(await clerk('lead.view'), `id=${id}`)).toEqual([[]]);
    expect(new Set((await actions(owner, 'system=true')).map(String))).toEqual(new Set(['']));
  });

  test('grants its permissions within its record scopes', async () => {
    const owner = await acme.as('owner');
    const role = await make(owner, { permissions: ['lead.view', 'lead.update'], record_scopes: { lead: 'own' } });
    expect(role).toMatchObject({
      system: false,
      kind: 'staff',
      permissions: ['lead.view', 'lead.update'],
      record_scopes: { lead: 'own' },
      user_count: 0,
      grantable: true,
      version: 1,
    });
    const { caller } = await bearerOf(role.id);
    expect(caller).toMatchObject({ permissions: role.permissions, record_scopes: { lead: 'own' }, kind: 'staff' });
    expect((await owner.get(`/api/roles?id=${role.id}`)).body.data).toMatchObject([{ user_count: 1 }]);
  });

  test('changes the permissions of its users immediately when it is updated', async () => {
    const owner = await acme.as('owner');
    const role = await make(owner);
    const { caller } = await bearerOf(role.id);
    const path = `/api/roles/update/${role.id}`;
    expect(await owner.post(path, { permissions: ['deal.view'], version: role.version })).toMatchObject({
      status: 200,
      body: { data: { name: role.name, permissions: ['deal.view'], version: 2 } },
    });
    expect(await eventTypesOf(platform, caller.user_id)).toContain('platform.user.access_changed');
    const again = await authenticate(platform, { $case: 'session_id', value: caller.session_id! });
    expect(again.caller.permissions).toEqual(['deal.view']);
    expect((await owner.post(path, { name: 'Late', version: role.version })).status).toBe(412);
  });

  test('is not deleted while a user has it', async () => {
    const owner = await acme.as('owner');
    const role = await make(owner);
    const { caller } = await bearerOf(role.id);
    const path = `/api/roles/delete/${role.id}`;
    expect(await owner.post(path)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { held_by: 'users', user_count: 1 } },
    });
    expect((await owner.delete(`/api/user/delete/${caller.user_id}`)).status).toBe(200);
    expect(await owner.post(path)).toMatchObject({ status: 200, body: { data: { id: role.id, deleted: true } } });
    expect((await owner.post(path)).status).toBe(404);
  });

  test('has a unique name, even if twenty are created concurrently', async () => {
    const owner = await acme.as('owner');
    const replies = await runConcurrently(20, () =>
      owner.post('/api/roles/create', { name: 'Twins', permissions: [] }),
    );
    expect(sortedStatuses(replies)).toEqual([201, ...Array(19).fill(409)]);
    const response = await owner.post('/api/roles/create', input({ name: 'Sales' }));
    expect(response).toMatchObject({
      status: 409,
      body: { message: 'A role with this name already exists. Choose another name.' },
    });
  });
});

describe('no user', () => {
  test('can create or update a role beyond their own permissions', async () => {
    const kim = await clerk('lead.view');
    const mine = await make(kim, { record_scopes: { lead: 'own' } });
    const wider = [
      { permissions: ['user.create'], record_scopes: {} },
      { permissions: ['lead.view'], record_scopes: {} },
    ];
    for (const rights of wider) {
      const replies = [
        await kim.post('/api/roles/create', input(rights)),
        await kim.post(`/api/roles/update/${mine.id}`, rights),
      ];
      for (const reply of replies) expect(reply).toMatchObject({ status: 403, body: { code: 'role_exceeds_caller' } });
    }
  });

  test('can update or delete a role that exceeds their own permissions', async () => {
    const kim = await clerk('lead.view');
    const ownersRole = await make(await acme.as('owner'), { permissions: ['user.create'] });
    const replies = [
      await kim.post(`/api/roles/update/${ownersRole.id}`, { permissions: [] }),
      await kim.post(`/api/roles/delete/${ownersRole.id}`),
    ];
    for (const reply of replies) expect(reply).toMatchObject({ status: 403, body: { code: 'role_exceeds_caller' } });
  });

  test('can update or delete a system role', async () => {
    const owner = await acme.as('owner');
    for (const path of [`update/${acme.roles.staff}`, `delete/${acme.roles.staff}`])
      expect(await owner.post(`/api/roles/${path}`)).toMatchObject({ status: 409, body: { code: 'system_role' } });
  });

  test('can create roles without the permission for it', async () => {
    const manager = await acme.as('manager');
    expect(await manager.post('/api/roles/create', input())).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });

  test('can exceed the seeded role of their kind as a client or vendor', async () => {
    const owner = await acme.as('owner');
    const deal = { kind: 'client', permissions: ['deal.view'] };
    expect((await owner.post('/api/roles/create', input({ ...deal, record_scopes: { deal: 'own' } }))).status).toBe(
      201,
    );
    for (const more of [deal, { ...deal, permissions: ['lead.view'] }])
      expect(await owner.post('/api/roles/create', input(more))).toMatchObject({
        status: 422,
        body: { errors: { permissions: [expect.any(String)] } },
      });
  });

  test.each([
    ['no name', { name: '' }, 'name'],
    ['an unknown permission', { permissions: ['lead.fly'] }, 'permissions.0'],
    ['a permission twice', { permissions: ['lead.view', 'lead.view'] }, 'permissions'],
    ['an unknown scope', { record_scopes: { lead: 'some' } }, 'record_scopes.lead'],
    ['the kind of owners', { kind: 'owner' }, 'kind'],
    ['a key of its own', { key: 'owner' }, 'key'],
    ['the word of the suite', { system: true }, 'system'],
  ])('can create a role with %s', async (_, more, field) => {
    const reply = await (await acme.as('owner')).post('/api/roles/create', input(more));
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});

describe('the record scopes of a role', () => {
  const leader = async () => {
    const owner = await acme.as('owner');
    const work = ['project.view', 'task.view', 'report.view', 'deal.view'];
    const permissions = ['role.create', 'role.update', 'user.create', 'deal.update', ...work];
    const role = await make(owner, { permissions, record_scopes: { project: 'own', task: 'own', deal: 'team' } });
    return await bearerOf(role.id);
  };

  test.each([
    ['another noun of the same records', ['task.view'], {}],
    ['only a noun that follows', ['task.view'], { task: 'own' }],
    ['no scope for reports', ['report.view'], {}],
    ['a wider scope', ['deal.view'], { deal: 'all' }],
    ['no scope', ['deal.view'], {}],
    ['a change without the permission to view', ['deal.update'], {}],
    ['a change of records of all', ['deal.update'], { deal: 'all' }],
  ])('cannot be exceeded with %s', async (_, permissions, record_scopes) => {
    const kim = await leader();
    const reply = await kim.post('/api/roles/create', input({ permissions, record_scopes }));
    expect(reply).toMatchObject({ status: 403, body: { code: 'role_exceeds_caller' } });
  });

  test('are accepted when specified', async () => {
    const kim = await leader();
    const rights = { permissions: ['task.view'], record_scopes: { project: 'own' } };
    expect((await kim.post('/api/roles/create', input(rights))).status).toBe(201);
  });

  test.each([
    ...['bank_account', 'transfer', 'ledger', 'stock', 'warehouse', 'product', 'user'].map((noun) => ({
      [noun]: 'own',
    })),
    { task: 'own' },
    { project: 'own', bug: 'all' },
  ])('are rejected if they have no effect: %j', async (record_scopes) => {
    const owner = await acme.as('owner');
    const reply = await owner.post('/api/roles/create', input({ record_scopes }));
    expect(reply).toMatchObject({ status: 422, body: { code: 'scope_without_effect' } });
  });
});
