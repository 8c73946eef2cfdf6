import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { company } = await openHr();
let acme: TestWorkspace;
beforeEach(async () => {
  acme = await company();
});

const list = async (query = '') => (await acme.owner.get(`/api/leave-types${query}`)).body.data;
const create = (body: object) => acme.owner.post('/api/leave-type/create', { name: 'Study', code: 'study', ...body });
const update = (id: string, body: object) => acme.owner.post(`/api/leave-type/update/${id}`, body);

describe('leave types', () => {
  test('initially include annual, sick and unpaid leave', async () => {
    expect(await list('?sort=code')).toMatchObject([
      { code: 'annual', days_per_year: '25', accrual: 'monthly', plan_ahead: true, paid: true },
      { code: 'sick', days_per_year: '10', accrual: 'upfront', plan_ahead: false, requires_document_after: 3 },
      { code: 'unpaid', days_per_year: '0', paid: false },
    ]);
    expect(await list('?paid=false')).toMatchObject([{ code: 'unpaid' }]);
  });

  test('plan ahead by default with monthly accrual', async () => {
    expect((await create({ accrual: 'monthly' })).body.data).toMatchObject({
      plan_ahead: true,
      carry_forward_max: '0',
    });
    const { body } = await create({ name: 'Other', code: 'other', accrual: 'monthly', plan_ahead: false });
    expect(body.data).toMatchObject({ plan_ahead: false });
  });

  test('have a unique name and a unique code', async () => {
    const replies = await runConcurrently(10, (at) => create({ name: `Study ${at}` }));
    expect(sortedStatuses(replies)).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect(await create({ name: 'ANNUAL LEAVE' })).toMatchObject({ status: 409, body: { code: 'already_exists' } });
  });

  test.each([
    ['days_per_year', '2.555'],
    ['days_per_year', '367'],
    ['days_per_year', '-1'],
    ['carry_expires_on', '02-30'],
    ['carry_expires_on', '02-29'],
    ['code', 'Annual leave'],
    ['employment_types', ['full', 'full']],
    ['employment_types', ['sometimes']],
    ['gender', 'undisclosed'],
    ['max_consecutive', 0],
    ['carry_expires_after_days', 0],
  ])('reject %s %j', async (field, value) => {
    const reply = await create({ [field]: value });
    expect(reply).toMatchObject({ status: 422 });
    expect(Object.keys(reply.body.errors)[0]).toMatch(new RegExp(`^${field}`));
  });

  test('can be updated field by field, and null clears a field', async () => {
    const { id } = (await create({ carry_expires_on: '03-31', days_per_year: '12.5' })).body.data;
    expect((await update(id, { carry_expires_on: null, version: 1 })).body.data).toMatchObject({
      carry_expires_on: null,
      days_per_year: '12.5',
      version: 2,
    });
    expect(await update(id, { active: false, version: 1 })).toMatchObject({ status: 412 });
  });

  test('are deleted while unused, and require a permission to read', async () => {
    const { id } = (await create({})).body.data;
    expect(await acme.owner.delete(`/api/leave-type/delete/${id}`)).toMatchObject({ status: 200 });
    expect(await acme.owner.delete(`/api/leave-type/delete/${id}`)).toMatchObject({ status: 404 });
    expect(await acme.member({ can: ['leave_type.view'] }).get('/api/leave-types')).toMatchObject({ status: 200 });
    expect(await acme.member({ can: ['leave.view'] }).get('/api/leave-types')).toMatchObject({ status: 403 });
    expect(await acme.member({ kind: 'client' }).get('/api/leave-types')).toMatchObject({
      status: 200,
      body: { data: [] },
    });
  });
});
