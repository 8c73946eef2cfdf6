import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import { daysOfEmployee } from '../days/days.ts';

const { serving, company } = await openHr();
let acme: TestWorkspace;
beforeEach(async () => {
  acme = await company();
});

const list = async (path: string, by = acme.owner) => (await by.get(`/api/${path}`)).body.data;
const post = (path: string, body: object, by = acme.owner) => by.post(`/api/${path}`, body);
const createRecord = async (path: string, body: object) => {
  const { status, body: answer } = await post(`${path}/create`, body);
  expect(status).toBe(201);
  return answer.data;
};
const branch = async (): Promise<string> => (await list('branches'))[0].id;
const names = async (query: string) => (await list(`holidays?${query}`)).map(({ name }: { name: string }) => name);
const changedEvents = () => serving.sql`
  SELECT data FROM journal_events WHERE workspace_id = ${acme.workspace} AND type = 'hr.holiday_calendar.changed' ORDER BY id`;

describe('holiday calendars', () => {
  test('begin with one default calendar, which stays active', async () => {
    const [standard] = await list('holiday-calendars');
    expect(standard).toMatchObject({ name: 'Holidays', is_default: true, branch_id: null, holiday_count: 0 });
    for (const wrong of [
      acme.owner.delete(`/api/holiday-calendar/delete/${standard.id}`),
      post(`holiday-calendar/update/${standard.id}`, { active: false }),
    ])
      expect(await wrong).toMatchObject({ status: 409, body: { code: 'in_use' } });
    const replies = await runConcurrently(5, (at) =>
      post('holiday-calendar/create', { name: `Other ${at}`, is_default: true }),
    );
    expect(sortedStatuses(replies)).toEqual([201, 201, 201, 201, 201]);
    expect(await list('holiday-calendars?is_default=true')).toHaveLength(1);
    expect(await acme.owner.delete(`/api/holiday-calendar/delete/${standard.id}`)).toMatchObject({ status: 200 });
  });

  test('are limited to one active calendar a branch for concurrent requests', async () => {
    const branch_id = await branch();
    const replies = await runConcurrently(10, (at) =>
      post('holiday-calendar/create', { name: `Main ${at}`, branch_id }),
    );
    expect(sortedStatuses(replies).toSorted((a, b) => a - b)).toEqual([201, ...Array(9).fill(409)]);
    const [{ id }] = await list(`holiday-calendars?branch_id=${branch_id}`);
    expect(replies.find(({ status }) => status === 409)!.body).toMatchObject({
      code: 'calendar_exists',
      details: { field: 'branch_id', calendar_id: id },
    });
    const other = await createRecord('holiday-calendar', { name: 'Spare', branch_id, active: false });
    expect(await post(`holiday-calendar/update/${other.id}`, { active: true })).toMatchObject({ status: 409 });
    expect(await post(`holiday-calendar/update/${id}`, { active: false })).toMatchObject({ status: 200 });
    expect(await post(`holiday-calendar/update/${other.id}`, { active: true })).toMatchObject({ status: 200 });
  });

  test('cannot belong to a branch of another workspace', async () => {
    const branch_id = (await list('branches', (await company()).owner))[0].id;
    expect(await post('holiday-calendar/create', { name: 'Spies', branch_id })).toMatchObject({
      status: 422,
      body: { errors: { branch_id: [expect.any(String)] } },
    });
  });
});

describe('holidays', () => {
  test('have ordered days, in the default calendar unless another one is specified', async () => {
    expect(await createRecord('holiday', { name: 'Good Friday', from: '2026-04-03' })).toMatchObject({
      to: '2026-04-03',
      days: 1,
      paid: true,
      branch_id: null,
      calendar_id: (await list('holiday-calendars'))[0].id,
    });
    for (const [from, to] of [
      ['2026-04-03', '2026-04-02'],
      ['2026-04-03', '2027-04-03'],
    ])
      expect(await post('holiday/create', { name: 'Wrong', from, to })).toMatchObject({
        status: 422,
        body: { errors: { to: [expect.any(String)] } },
      });
    const { id } = await createRecord('holiday', { name: 'Break', from: '2026-12-24', to: '2027-01-02' });
    expect(await post(`holiday/update/${id}`, { from: '2027-01-03' })).toMatchObject({ status: 422 });
    expect((await post(`holiday/update/${id}`, { from: '2026-12-28', version: 1 })).body.data).toMatchObject({
      days: 6,
      version: 2,
    });
    expect(await post(`holiday/update/${id}`, { paid: false, version: 1 })).toMatchObject({ status: 412 });
  });

  test('can be filtered by year, days, branch and paid', async () => {
    const branch_id = await branch();
    const { id: other_id } = await createRecord('branch', { name: 'Harbour' });
    await createRecord('holiday', { name: 'Turn', from: '2026-12-31', to: '2027-01-01' });
    await createRecord('holiday', { name: 'Later', from: '2027-06-01', paid: false });
    const own = await createRecord('holiday-calendar', { name: 'Harbour', branch_id: other_id });
    await createRecord('holiday', { name: 'Regatta', from: '2026-08-01', calendar_id: own.id });
    expect(await names('year=2026')).toEqual(['Regatta', 'Turn']);
    expect(await names('year=2027')).toEqual(['Turn', 'Later']);
    expect(await names('year[gte]=2027&sort=-from')).toEqual(['Later', 'Turn']);
    expect(await names('year=0')).toEqual([]);
    expect(await names(`branch_id=${branch_id}`)).toEqual(['Turn', 'Later']);
    expect(await names(`branch_id=${other_id}`)).toEqual(['Regatta']);
    expect(await names(`branch_id[in]=${branch_id},${other_id}`)).toHaveLength(3);
    expect(await names('paid=false')).toEqual(['Later']);
    expect(await names('from[lte]=2026-12-31&to[gte]=2027-01-01')).toEqual(['Turn']);
    expect(await names('q=regatta')).toEqual(['Regatta']);
    expect(await acme.owner.get('/api/holidays?years=2026')).toMatchObject({ status: 422 });
  });

  test('announce the changed days in the transaction of the change', async () => {
    const { id, calendar_id } = await createRecord('holiday', { name: 'Day', from: '2026-06-10' });
    await post(`holiday/update/${id}`, { from: '2026-06-05', to: '2026-06-06' });
    await acme.owner.delete(`/api/holiday/delete/${id}`);
    const expectedEvent = (from: string, to: string) => ({ data: { holiday_calendar_id: calendar_id, from, to } });
    expect(await changedEvents()).toEqual([
      expectedEvent('2026-06-10', '2026-06-10'),
      expectedEvent('2026-06-05', '2026-06-10'),
      expectedEvent('2026-06-05', '2026-06-06'),
    ]);
  });

  test('require permissions to read and to create', async () => {
    const guest = acme.member({ can: ['holiday.view'] });
    expect(await guest.get('/api/holidays')).toMatchObject({ status: 200 });
    expect(await post('holiday/create', { name: 'Mine', from: '2026-06-01' }, guest)).toMatchObject({ status: 403 });
    const { id } = await createRecord('holiday', { name: 'Day', from: '2026-06-10' });
    const rival = (await company()).owner;
    expect(await rival.delete(`/api/holiday/delete/${id}`)).toMatchObject({ status: 404 });
  });
});

test('work days follow the shift, the branch and the holidays of each day', async () => {
  await createRecord('holiday', { name: 'Good Friday', from: '2026-04-03' });
  const id = await acme.write(async (db) => {
    const { id: department_id, branch_id } = await db.department.findFirstOrThrow();
    const { id: designation_id } = await db.designation.findFirstOrThrow();
    const { id: made_id } = await db.employee.create({
      data: {
        code: randomUUID(),
        name: 'Ada',
        status: 'active',
        branch_id,
        department_id,
        designation_id,
        employment_type: 'full',
        joining_date: '2026-04-02T00:00:00Z',
      },
    });
    return made_id;
  });
  const days = await acme.write((db) => daysOfEmployee(db, id, '2026-04-01', '2026-04-07'));
  expect(days.map(({ kind }) => kind)).toEqual([
    'not_employed',
    'work',
    'holiday',
    'weekly_off',
    'weekly_off',
    'work',
    'work',
  ]);
  expect(days[1]).toMatchObject({ terms: { start: '09:00', timezone: 'Europe/Berlin' }, holiday: null });
  expect(days[2]).toMatchObject({ holiday: { name: 'Good Friday', paid: true } });
  expect(await acme.write((db) => daysOfEmployee(db, randomUUID(), '2026-04-01', '2026-04-07'))).toEqual([]);
});
