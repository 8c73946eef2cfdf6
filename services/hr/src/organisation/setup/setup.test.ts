import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { serving, company } = await openHr();
let acme: TestWorkspace;
beforeEach(async () => {
  acme = await company();
});

const list = async (path: string) => (await acme.owner.get(`/api/${path}`)).body.data;
const post = (path: string, body: object) => acme.owner.post(`/api/${path}`, body);
const createRecord = async (path: string, body: object) => (await post(`${path}/create`, body)).body.data;
const faultResponse = (status: number, code: string) => ({ status, body: { code } });

describe('a new workspace', () => {
  test('has a branch, departments, designations, document types and a shift', async () => {
    expect(await list('branches')).toMatchObject([{ name: 'Main', active: true, employee_count: 0 }]);
    expect((await list('departments')).map(({ name }: { name: string }) => name)).toContain('Human resources');
    expect(await list('designations')).toHaveLength(5);
    expect(await list('document-types')).toHaveLength(3);
    expect(await list('shifts')).toMatchObject([
      {
        start: '09:00',
        end: '17:30',
        break_minutes: 30,
        days: [1, 2, 3, 4, 5],
        timezone: 'Europe/Berlin',
        is_default: true,
      },
    ]);
  });
});

describe('branches', () => {
  test('have unique names, regardless of case', async () => {
    expect(await post('branch/create', { name: 'MAIN' })).toMatchObject(faultResponse(409, 'already_exists'));
    const replies = await runConcurrently(10, () => post('branch/create', { name: 'Harbour' }));
    expect(sortedStatuses(replies)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  test('can be deleted only if they are not in use', async () => {
    const [main] = await list('branches');
    expect(await acme.owner.delete(`/api/branch/delete/${main.id}`)).toMatchObject(faultResponse(409, 'in_use'));
    const { id } = await createRecord('branch', { name: 'Harbour' });
    expect(await acme.owner.delete(`/api/branch/delete/${id}`)).toMatchObject({ status: 200 });
  });

  test('can be deactivated and filtered by status', async () => {
    const { id } = await createRecord('branch', { name: 'Harbour' });
    await post(`branch/update/${id}`, { active: false });
    expect(await list('branches?active=false')).toMatchObject([{ id, version: 2 }]);
    expect(await post(`branch/update/${id}`, { name: 'Port', version: 1 })).toMatchObject(faultResponse(412, 'stale'));
  });
});

describe('departments', () => {
  const createDepartment = async (name: string, parent_id?: string) => {
    const [{ id: branch_id }] = await list('branches');
    return await createRecord('department', { name, branch_id, parent_id });
  };

  test('form a tree without cycles', async () => {
    const top = await createDepartment('Top');
    const middle = await createDepartment('Middle', top.id);
    const bottom = await createDepartment('Bottom', middle.id);
    for (const parent_id of [top.id, middle.id, bottom.id])
      expect(await post(`department/update/${top.id}`, { parent_id })).toMatchObject({
        status: 422,
        body: { code: 'department_circle', details: { field: 'parent_id' } },
      });
    expect(await post(`department/update/${bottom.id}`, { parent_id: null })).toMatchObject({ status: 200 });
  });

  test('form no cycle when two are moved concurrently', async () => {
    const [one, other] = [await createDepartment('One'), await createDepartment('Other')];
    const replies = await runConcurrently(2, (at) =>
      at === 0
        ? post(`department/update/${one.id}`, { parent_id: other.id })
        : post(`department/update/${other.id}`, { parent_id: one.id }),
    );
    expect(sortedStatuses(replies)).toEqual([200, 422]);
  });

  test('reject a branch and a parent of another workspace', async () => {
    const otherDepartment = (await (await company()).owner.get('/api/departments')).body.data[0];
    const [{ id: branch_id }] = await list('branches');
    for (const [field, body] of [
      ['branch_id', { branch_id: otherDepartment.branch_id }],
      ['parent_id', { branch_id, parent_id: otherDepartment.id }],
    ] as const)
      expect(await post('department/create', { name: 'Spies', ...body })).toMatchObject({
        status: 422,
        body: { errors: { [field]: [expect.any(String)] } },
      });
  });
});

describe('designations', () => {
  test('belong to a department and have a unique name there', async () => {
    const [one, other] = await list('departments');
    await createRecord('designation', { name: 'Trainee', department_id: one.id });
    expect(await post('designation/create', { name: 'trainee', department_id: one.id })).toMatchObject({ status: 409 });
    expect(await post('designation/create', { name: 'Trainee', department_id: other.id })).toMatchObject({
      status: 201,
    });
  });
});

describe('shifts', () => {
  const night = { name: 'Night', start: '22:00', end: '06:00', break_minutes: 30, days: [1, 2, 3] };
  const versions = (id: string) =>
    serving.sql`SELECT effective_from::text, seq, terms FROM shift_versions WHERE shift_id = ${id}
      ORDER BY effective_from, seq`;

  test('cross midnight if they end before they start', async () => {
    const shift = await createRecord('shift', night);
    expect(shift).toMatchObject({ crosses_midnight: true, timezone: 'Europe/Berlin', early_window_minutes: 120 });
    expect(await versions(shift.id)).toMatchObject([
      { effective_from: '0001-01-01', seq: 1, terms: { start: '22:00' } },
    ]);
  });

  test('require a length and a weekday', async () => {
    for (const wrong of [{ end: '22:00' }, { break_minutes: 480 }])
      expect(await post('shift/create', { ...night, ...wrong })).toMatchObject(
        faultResponse(422, 'shift_without_length'),
      );
    expect(await post('shift/create', { ...night, days: [] })).toMatchObject({
      status: 422,
      body: { errors: { days: ['Choose at least one weekday.'] } },
    });
    const { id } = await createRecord('shift', night);
    expect(await post(`shift/update/${id}`, { start: '06:00' })).toMatchObject(
      faultResponse(422, 'shift_without_length'),
    );
  });

  test('get a version for each change of terms, but not for a new name', async () => {
    const { id } = await createRecord('shift', night);
    await post(`shift/update/${id}`, { name: 'Late' });
    await post(`shift/update/${id}`, { start: '21:00' });
    await post(`shift/update/${id}`, { start: '20:00' });
    const all = await versions(id);
    expect(all.map(({ seq, terms }) => [seq, terms.start])).toEqual([
      [1, '22:00'],
      [1, '21:00'],
      [2, '20:00'],
    ]);
    expect(Object.keys(all[0]!.terms)).not.toContain('workspace_id');
  });

  test('have exactly one default', async () => {
    const [office] = await list('shifts');
    const replies = await runConcurrently(5, (at) =>
      post('shift/create', { ...night, name: `Night ${at}`, is_default: true }),
    );
    expect(sortedStatuses(replies)).toEqual([201, 201, 201, 201, 201]);
    const [standard, ...more] = await list('shifts?is_default=true');
    expect(more).toEqual([]);
    expect(await acme.owner.delete(`/api/shift/delete/${standard.id}`)).toMatchObject(faultResponse(409, 'in_use'));
    expect(await acme.owner.delete(`/api/shift/delete/${office.id}`)).toMatchObject({ status: 200 });
  });
});

test('requires permissions for setup records and hides them from clients', async () => {
  const guest = acme.member({ can: ['branch.view'] });
  expect(await guest.get('/api/branches')).toMatchObject({ status: 200 });
  expect(await guest.post('/api/branch/create', { name: 'Mine' })).toMatchObject({ status: 403 });
  expect(await guest.get('/api/shifts')).toMatchObject({ status: 403 });
  const client = acme.member({ kind: 'client' });
  expect((await client.get('/api/branches')).body.data).toEqual([]);
});
