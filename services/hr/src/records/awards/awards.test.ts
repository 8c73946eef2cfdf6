import { expect, test } from '@jest/globals';
import { openRecords } from '../../../test/records.ts';

const { at, member, post, platform } = await openRecords();

const award = (more: object = {}) =>
  post('award/create', { employee_id: at.employee_id, type: 'month', date: '2026-06-01', title: 'Best idea', ...more });

test('shows an award to its employee, and a public award to all employees', async () => {
  const { status, body } = await award({ gift: 'A book' });
  expect([status, body.data]).toMatchObject([201, { title: 'Best idea', gift: 'A book', public: false }]);
  const { id } = body.data;
  const user_id = platform.hire(at.acme.workspace);
  await at.acme.employ({ name: 'Colleague', user_id });
  const colleague = member({ user_id, can: [] });
  const listOwnAwards = async (by: typeof colleague) => (await by.get('/api/hrm/awards?expand=employee')).body.data;
  expect(await listOwnAwards(at.self)).toMatchObject([{ id, employee: { name: 'Ada Lovelace' } }]);
  expect([await listOwnAwards(colleague), (await colleague.get(`/api/award/show/${id}`)).status]).toEqual([[], 404]);
  await post(`award/update/${id}`, { public: true, version: 1 });
  expect(await listOwnAwards(colleague)).toMatchObject([{ id }]);
  expect(await colleague.get(`/api/award/show/${id}`)).toMatchObject({ status: 200 });
  expect(await colleague.get('/api/awards')).toMatchObject({ status: 403 });
  expect(await member({ kind: 'client' }).get(`/api/award/show/${id}`)).toMatchObject({ status: 404 });
});

test('offers the actions on awards of others, in the record scope of the caller', async () => {
  const { id, allowed_actions } = (await award({ public: true })).body.data;
  expect(allowed_actions).toEqual(['update', 'delete']);
  const [listed] = (await at.acme.owner.get('/api/awards')).body.data;
  expect(listed).toMatchObject({ id, allowed_actions: ['update', 'delete'] });
  const can = ['award.view', 'award.update', 'award.delete'];
  const actions = async (by: ReturnType<typeof member>) =>
    (await by.get(`/api/award/show/${id}`)).body.data.allowed_actions;
  expect(await actions(member({ can: ['award.view', 'award.update'] }))).toEqual(['update']);
  expect(await actions(member({ user_id: at.user_id, can }))).toEqual([]);
  const user_id = platform.hire(at.acme.workspace);
  await at.acme.employ({ name: 'Colleague', user_id });
  expect(await actions(member({ user_id, can, record_scopes: { award: 'own' } }))).toEqual([]);
});

test('updates, finds and deletes an award, and rejects an award for the caller', async () => {
  const { id } = (await award()).body.data;
  expect(await post(`award/update/${id}`, { title: 'Best team', gift: null, version: 7 })).toMatchObject({
    status: 412,
  });
  expect((await post(`award/update/${id}`, { title: 'Best team' })).body.data).toMatchObject({
    title: 'Best team',
    version: 2,
  });
  const find = async (query: string) => (await at.acme.owner.get(`/api/awards?${query}`)).body.meta.total;
  expect([await find('q=team'), await find('q=idea'), await find('type=month&public=false')]).toEqual([1, 0, 1]);
  expect(await at.acme.owner.get('/api/awards?kind=month')).toMatchObject({ status: 422 });
  const manager = member({ user_id: at.user_id, kind: 'owner' });
  const own = { employee_id: at.employee_id, type: 'month', date: '2026-06-01', title: 'Me' };
  expect(await manager.post('/api/award/create', own)).toMatchObject({ status: 409, body: { code: 'own_record' } });
  expect(await manager.delete(`/api/award/delete/${id}`)).toMatchObject({ status: 409, body: { code: 'own_record' } });
  expect(await at.acme.owner.delete(`/api/award/delete/${id}`)).toMatchObject({ status: 200 });
  expect(await at.acme.owner.delete(`/api/award/delete/${id}`)).toMatchObject({ status: 404 });
});
