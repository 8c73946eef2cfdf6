import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Member, start, sortedStatuses, runConcurrently, eventTypesOf } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { authenticate, invitation, openWorkspace, type TestWorkspace } from '../../../test/workspace.ts';
import { signInAs } from '../../../test/bearer.ts';

const platform = await start({ ...contents, schedules: [] });
let acme: TestWorkspace;
let owner: Member;
beforeAll(async () => {
  acme = await openWorkspace(platform);
  owner = await acme.as('owner');
});

let teamCount = 0;
const input = (more: object = {}) => ({ name: `Coast ${(teamCount += 1)}`, ...more });

async function make(more: object = {}) {
  const { status, body } = await owner.post('/api/teams/create', input(more));
  expect(status).toBe(201);
  return body.data;
}

async function roleOf(rights: object): Promise<string> {
  const { body } = await owner.post('/api/roles/create', { name: `Role ${(teamCount += 1)}`, ...rights });
  return body.data.id;
}

/** Creates a staff user with these permissions. */
async function hire(rights?: object): Promise<Member> {
  const role_id = rights ? await roleOf(rights) : acme.roles.staff;
  const { id, email } = (await owner.post('/api/user/store', invitation(acme, { role_id }))).body.data;
  return await signInAs(platform, acme, { id, email });
}

const TEAM_LEAD = { permissions: ['lead.view'], record_scopes: { lead: 'team' } };
const idOf = ({ caller }: Member): string => caller.user_id;
const again = (person: Member) => authenticate(platform, { $case: 'session_id', value: person.caller.session_id! });

describe('a team', () => {
  test('has members, and can be found by member and by name', async () => {
    const [kim, lee] = [await hire(), await hire()];
    const member_ids = [idOf(kim), idOf(lee)].toSorted();
    const team = await make({ member_ids, description: 'Sells at the sea.' });
    expect(team).toMatchObject({ description: 'Sells at the sea.', member_ids, version: 1 });
    expect(team.members.map(({ id }: { id: string }) => id).toSorted()).toEqual(member_ids);
    for (const question of [`member_id=${idOf(kim)}`, `q=${team.name}&sort=name`, `id=${team.id}&expand=members`]) {
      const { body } = await owner.get(`/api/teams?${encodeURI(question)}`);
      expect(body.data.map(({ id }: { id: string }) => id)).toContain(team.id);
    }
    expect((await owner.get(`/api/users?team_id=${team.id}`)).body.meta.total).toBe(2);
    expect((await kim.get('/api/user')).body.data).toMatchObject({ team_id: team.id });
  });

  test('sends member IDs to services only for users with the scope team', async () => {
    const [lead, kim, other] = [await hire(TEAM_LEAD), await hire(), await hire(TEAM_LEAD)];
    const member_ids = [idOf(lead), idOf(kim)].toSorted();
    await make({ member_ids });
    expect((await again(lead)).caller).toMatchObject({ record_scopes: { lead: 'team' }, team: member_ids });
    for (const person of [kim, other]) expect((await again(person)).caller).not.toHaveProperty('team');
  });

  test('updates the permissions of members who join, stay or leave', async () => {
    const [lead, kim, lee] = [await hire(TEAM_LEAD), await hire(), await hire()];
    const team = await make({ member_ids: [idOf(lead), idOf(kim)] });
    const payload = async () =>
      await Promise.all([lead, kim, lee].map(async (person) => (await eventTypesOf(platform, idOf(person))).length));
    const before = await payload();
    const path = `/api/teams/update/${team.id}`;
    expect(await owner.post(path, { member_ids: [idOf(lead), idOf(lee)], version: 1 })).toMatchObject({
      status: 200,
      body: { data: { name: team.name, member_ids: [idOf(lead), idOf(lee)].toSorted(), version: 2 } },
    });
    expect(await payload()).toEqual(before.map((count) => count + 1));
    expect((await eventTypesOf(platform, idOf(kim))).at(-1)).toBe('platform.user.access_changed');
    expect((await again(lead)).caller.team).toEqual([idOf(lead), idOf(lee)].toSorted());
    expect((await owner.post(path, { name: 'Late', version: 1 })).status).toBe(412);
  });

  test('loses members who are deleted or become clients', async () => {
    const [lead, kim, lee] = [await hire(TEAM_LEAD), await hire(), await hire()];
    const team = await make({ member_ids: [lead, kim, lee].map(idOf) });
    expect((await owner.delete(`/api/user/delete/${idOf(kim)}`)).status).toBe(200);
    expect((await again(lead)).caller.team).toEqual([idOf(lead), idOf(lee)].toSorted());
    const client = { role_id: acme.roles.client };
    expect((await owner.post(`/api/user/update/${idOf(lee)}`, client)).status).toBe(200);
    expect((await owner.get(`/api/teams?id=${team.id}`)).body.data).toMatchObject([
      { member_ids: [idOf(lead)], version: 3 },
    ]);
  });

  test('cannot be deleted while it has members', async () => {
    const team = await make({ member_ids: [idOf(await hire())] });
    const path = `/api/teams/delete/${team.id}`;
    expect(await owner.post(path)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { held_by: 'users', user_count: 1 } },
    });
    expect((await owner.post(`/api/teams/update/${team.id}`, { member_ids: [] })).status).toBe(200);
    expect(await owner.post(path)).toMatchObject({ status: 200, body: { data: { id: team.id, deleted: true } } });
    expect((await owner.post(path)).status).toBe(404);
  });

  test('has a unique name', async () => {
    const team = await make();
    expect(await owner.post('/api/teams/create', { name: team.name })).toMatchObject({
      status: 409,
      body: { message: 'A team with this name already exists. Choose another name.' },
    });
  });
});

describe('no user', () => {
  test('is in two teams, even after twenty concurrent requests', async () => {
    const member_ids = [idOf(await hire())];
    const replies = await runConcurrently(20, () => owner.post('/api/teams/create', input({ member_ids })));
    expect(sortedStatuses(replies)).toEqual([201, ...Array(19).fill(409)]);
    const refused = replies.find(({ status }) => status === 409)!;
    expect(refused.body).toMatchObject({ code: 'in_another_team' });
  });

  test('can create or join a team to see records that they cannot see', async () => {
    const lead = await hire(TEAM_LEAD);
    const team = await make({ member_ids: [idOf(await hire())] });
    const composing = { permissions: ['team.create', 'team.update', 'lead.view'], record_scopes: { lead: 'team' } };
    const kim = await hire(composing);
    const replies = [
      await kim.post(`/api/teams/update/${team.id}`, { member_ids: [...team.member_ids, idOf(kim)] }),
      await kim.post('/api/teams/create', input({ member_ids: [idOf(lead)] })),
    ];
    for (const reply of replies) expect(reply).toMatchObject({ status: 403, body: { code: 'role_exceeds_caller' } });
    expect((await kim.post('/api/teams/create', input({ member_ids: [idOf(await hire())] }))).status).toBe(201);
  });

  test.each([
    ['reports on projects', ['report.view'], { project: 'team' }],
    ['changes of leads', ['lead.update'], { lead: 'team' }],
    ['invoices in addition to revenues', ['revenue.view'], { sales_invoice: 'team' }],
  ])('can create a team to see %s of others', async (_, permissions, record_scopes) => {
    const kim = await hire({ permissions: ['team.create', ...permissions], record_scopes });
    const reply = await kim.post('/api/teams/create', input({ member_ids: [idOf(kim), idOf(await hire())] }));
    expect(reply).toMatchObject({ status: 403, body: { code: 'role_exceeds_caller' } });
  });

  test('can join or see a team as a client', async () => {
    const team = await make();
    const client = await acme.as('client');
    expect(await owner.post(`/api/teams/update/${team.id}`, { member_ids: [idOf(client)] })).toMatchObject({
      status: 422,
      body: { errors: { member_ids: [expect.any(String)] } },
    });
    expect((await client.get('/api/teams')).status).toBe(403);
  });

  test('can see API keys of users outside their team with team scope', async () => {
    const scope = { permissions: ['apikey.view', 'apikey.create', 'apikey.delete'], record_scopes: { apikey: 'team' } };
    const [lead, kim] = [await hire(scope), await hire(scope)];
    await make({ member_ids: [idOf(lead), idOf(kim)] });
    for (const person of [owner, kim]) await person.post('/api/v1/settings/api-keys', { name: 'Key' });
    const { data } = (await (await again(lead)).get('/api/v1/settings/api-keys')).body;
    expect(data.map(({ user_id }: { user_id: string }) => user_id)).toEqual([idOf(kim)]);
  });

  test.each([
    ['no name', { name: '' }, 'name'],
    ['a member twice', { member_ids: Array(2).fill('01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10') }, 'member_ids'],
    ['an unknown member', { member_ids: ['01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10'] }, 'member_ids'],
    ['101 members', { member_ids: Array(101).fill('01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10') }, 'member_ids'],
    ['a manager', { manager_id: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10' }, 'manager_id'],
  ])('can create a team with %s', async (_, more, field) => {
    const reply = await owner.post('/api/teams/create', input(more));
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});
