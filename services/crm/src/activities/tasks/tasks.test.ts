import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});

describe.each(['lead', 'deal'])('a task of a %s', (kind) => {
  const record = async (by = shop) => (await by.owner.post(`/api/${kind}/create`, { name: 'Ada' })).body.data.id;
  const show = async (id: string) => (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data;
  const create = (id: string, body: object = {}, by = shop.owner) =>
    by.post(`/api/${kind}-task/create`, {
      [`${kind}_id`]: id,
      name: 'Call back',
      date: '2027-01-31',
      time: '09:30',
      ...body,
    });
  const update = (id: string, body: object, by = shop.owner) => by.post(`/api/${kind}-task/update/${id}`, body);

  test('is shown with the record, and is its last activity', async () => {
    const id = await record();
    const before = await show(id);
    const robin = shop.hire();
    const { status, body } = await create(id, {
      assignee_id: robin,
      priority: 'high',
      reminder: '2027-01-31T08:00:00+01:00',
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      name: 'Call back',
      date: '2027-01-31',
      time: '09:30',
      priority: 'high',
      status: 'todo',
      done_at: null,
      assignee_id: robin,
      reminder: '2027-01-31T07:00:00.000Z',
      [`${kind}_id`]: id,
    });
    const after = await show(id);
    expect(after.tasks).toEqual([body.data]);
    expect(after.timeline[0]).toMatchObject({ type: 'task_added', payload: { task_id: body.data.id } });
    expect(after.last_activity_at > before.last_activity_at).toBe(true);
    expect(after.version).toBe(before.version + 1);
  });

  test('is marked as done once by concurrent requests, and can be reopened', async () => {
    const id = await record();
    const task = (await create(id)).body.data;
    const replies = await runConcurrently(8, () => update(task.id, { status: 'done' }));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect((await show(id)).timeline.filter(({ type }: { type: string }) => type === 'task_done')).toHaveLength(1);
    expect((await show(id)).tasks[0]).toMatchObject({ status: 'done', done_at: expect.any(String) });
    expect((await update(task.id, { status: 'todo' })).body.data).toMatchObject({ status: 'todo', done_at: null });
  });

  test('changes the given fields, and rejects a stale version', async () => {
    const task = (await create(await record())).body.data;
    expect((await update(task.id, { name: 'Write', date: '2027-02-01', version: 1 })).body.data).toMatchObject({
      name: 'Write',
      date: '2027-02-01',
      time: '09:30',
      version: 2,
    });
    expect(await update(task.id, { name: 'Shout', version: 1 })).toMatchObject({ status: 412 });
  });

  test('is deleted', async () => {
    const id = await record();
    const task = (await create(id)).body.data;
    expect((await shop.owner.delete(`/api/${kind}-task/delete/${task.id}`)).body.data).toEqual({
      id: task.id,
      deleted: true,
    });
    expect((await show(id)).tasks).toEqual([]);
    expect(await shop.owner.delete(`/api/${kind}-task/delete/${task.id}`)).toMatchObject({ status: 404 });
  });

  test.each([
    ['date', '2027-02-29'],
    ['date', 'soon'],
    ['time', '24:00'],
    ['time', '9:30'],
    ['time', '09:30:00'],
    ['priority', 'urgent'],
    ['status', 'done'],
    ['assignee_id', crypto.randomUUID()],
    ['name', ''],
    ['done_at', '2027-01-01T00:00:00Z'],
  ])('is rejected with %s = %s', async (field, value) => {
    expect(await create(await record(), { [field]: value })).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
  });

  test('requires a visible record, and is found only through its own kind', async () => {
    const refused = { status: 422, body: { errors: { [`${kind}_id`]: [expect.any(String)] } } };
    expect(await create(crypto.randomUUID())).toMatchObject(refused);
    expect(await create(await record(otherShop))).toMatchObject(refused);
    const own = shop.member({ record_scopes: { lead: 'own', deal: 'own' } });
    const id = await record();
    expect(await create(id, {}, own)).toMatchObject(refused);
    const task = (await create(id)).body.data;
    expect(await update(task.id, { name: 'Mine' }, own)).toMatchObject({ status: 404 });
    expect(await update(task.id, { name: 'Mine' }, otherShop.owner)).toMatchObject({ status: 404 });
    const other = kind === 'lead' ? 'deal' : 'lead';
    expect(await shop.owner.post(`/api/${other}-task/update/${task.id}`, { name: 'x' })).toMatchObject({ status: 404 });
    expect(await shop.owner.delete(`/api/${other}-task/delete/${task.id}`)).toMatchObject({ status: 404 });
    expect(await serving.sql`SELECT name FROM tasks WHERE id = ${task.id}`).toEqual([{ name: 'Call back' }]);
  });
});
