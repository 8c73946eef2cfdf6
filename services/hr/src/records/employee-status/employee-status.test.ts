import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import { applyEffectiveDates } from '../../employment/employment/effective-dates.ts';

const { serving, platform, company } = await openHr();
const NOON = '2026-06-15T10:00:00Z';
let acme: TestWorkspace;
let time: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  time = freezeClock(NOON);
  acme = await company();
});

const log = { error: (_: unknown, message: string) => failures.push(message) } as never;
const failures: string[] = [];
const applyDates = () => applyEffectiveDates({ database: serving.database as never, log });
const post = (path: string, body: object = {}) => acme.owner.post(`/api/employee/${path}`, body);
const show = async (id: string, query = '') => (await acme.owner.get(`/api/employee/show/${id}${query}`)).body.data;
const events = async (id: string) =>
  (await serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`).map(
    ({ type, data }) => [type, data],
  );
const ending = { exit_date: '2026-06-30', cause: 'resigned' };
/** 00:00 in Berlin. */
const DAY_AFTER = '2026-06-30T22:00:00Z';

describe('an employment', () => {
  test('ends once at 00:00 after its last day, in the workspace time zone', async () => {
    const user_id = platform.hire(acme.workspace);
    const id = await acme.employ({ user_id });
    expect(await post(`end-employment/${id}`, ending)).toMatchObject({
      status: 200,
      body: { data: { status: 'on_notice', exit_date: '2026-06-30' } },
    });
    time.goTo('2026-06-30T21:59:59Z');
    await applyDates();
    expect(await show(id)).toMatchObject({ status: 'on_notice' });
    time.goTo(DAY_AFTER);
    await Promise.all([applyDates(), applyDates(), applyDates()]);
    expect(await show(id)).toMatchObject({
      status: 'left',
      employments: [{ joining_date: '2026-01-01', exit_date: '2026-06-30', exit_cause: 'resigned' }],
    });
    const emitted = await events(id);
    expect(emitted.map(([type]) => type)).toEqual([
      'hr.employee.status_changed',
      'hr.employee.status_changed',
      'hr.employee.left',
    ]);
    expect(emitted.at(-1)![1]).toEqual({ employee_id: id, user_id, last_day: '2026-06-30', cause: 'resigned' });
    expect(failures).toEqual([]);
  });

  test('ends later if no job ran on its last day', async () => {
    const id = await acme.employ();
    await post(`end-employment/${id}`, ending);
    time.goTo('2026-12-01T10:00:00Z');
    await applyDates();
    expect(await show(id)).toMatchObject({ status: 'left', exit_date: '2026-06-30' });
  });

  test('moves current and future team members to the next manager', async () => {
    const manager = await acme.employ({ name: 'Boss' });
    const head = await acme.employ({ name: 'Head', manager_id: manager });
    const hrUser = await acme.employ({ name: 'Clerk', manager_id: head });
    const later = await acme.employ({ name: 'Later' });
    await post(`update/${later}`, { manager_id: head, effective_from: '2026-09-01' });
    await post(`end-employment/${head}`, ending);
    time.goTo(DAY_AFTER);
    await applyDates();
    expect(await show(hrUser)).toMatchObject({ manager_id: manager });
    expect(await show(hrUser, '?as_of=2026-06-30')).toMatchObject({ manager_id: head });
    expect(await show(later, '?as_of=2026-09-01')).toMatchObject({ manager_id: manager });
  });

  test('rejects an end before its start, a second end and an end by the employee', async () => {
    const user_id = platform.hire(acme.workspace);
    const id = await acme.employ({ user_id });
    expect(await post(`end-employment/${id}`, { ...ending, exit_date: '2025-12-31' })).toMatchObject({
      status: 422,
      body: { code: 'exit_before_joining' },
    });
    expect(await acme.member({ user_id }).post(`/api/employee/end-employment/${id}`, ending)).toMatchObject({
      status: 409,
      body: { code: 'own_record' },
    });
    await post(`end-employment/${id}`, { ...ending, exit_date: '2026-06-14' });
    await applyDates();
    expect(await post(`end-employment/${id}`, ending)).toMatchObject({
      status: 409,
      body: { code: 'employment_ended' },
    });
    expect(await post(`update/${id}`, { name: 'Eve' })).toMatchObject({
      status: 409,
      body: { code: 'employment_ended' },
    });
  });

  test('continues after the notice is withdrawn', async () => {
    const id = await acme.employ();
    await post(`end-employment/${id}`, ending);
    expect(await post(`continue-employment/${id}`)).toMatchObject({
      body: { data: { status: 'active', exit_date: null, employments: [{ exit_date: null, exit_cause: null }] } },
    });
    time.goTo(DAY_AFTER);
    await applyDates();
    expect(await show(id)).toMatchObject({ status: 'active' });
  });

  test('starts again for a former employee, with the same person and new terms', async () => {
    const id = await acme.employ({ code: 'A-1' });
    await post(`end-employment/${id}`, { ...ending, exit_date: '2026-06-14' });
    expect(await post(`rehire/${id}`, { joining_date: '2026-07-01' })).toMatchObject({ status: 409 });
    await applyDates();
    expect(await post(`rehire/${id}`, { joining_date: '2026-06-14' })).toMatchObject({
      status: 422,
      body: { errors: { joining_date: [expect.any(String)] } },
    });
    const replies = await runConcurrently(5, () =>
      post(`rehire/${id}`, { joining_date: '2026-07-01', employment_type: 'part' }),
    );
    expect(sortedStatuses(replies)).toEqual([200, 409, 409, 409, 409]);
    expect(await show(id)).toMatchObject({
      code: 'A-1',
      status: 'onboarding',
      joining_date: '2026-07-01',
      exit_date: null,
      employment_type: 'part',
      employments: [{ exit_date: '2026-06-14' }, { joining_date: '2026-07-01', exit_date: null }],
    });
    expect((await acme.owner.get('/api/employees?as_of=2026-06-20')).body.meta.total).toBe(0);
    expect(await show(id, '?as_of=2026-06-14')).toMatchObject({ employment_type: 'full', exit_date: '2026-06-14' });
    time.goTo('2026-07-01T00:00:00Z');
    await applyDates();
    expect(await show(id)).toMatchObject({ status: 'active' });
  });
});

test('shows scheduled terms from their day and announces them once', async () => {
  const id = await acme.employ();
  await post(`update/${id}`, { employment_type: 'part', effective_from: '2026-07-01' });
  time.goTo(DAY_AFTER);
  await Promise.all([applyDates(), applyDates()]);
  expect(await show(id)).toMatchObject({ employment_type: 'part', scheduled_changes: [] });
  const emitted = (await events(id)).filter(([, data]) => data.effective_from === '2026-07-01');
  expect(emitted.map(([, data]) => data.fields)).toEqual([['employment_type'], ['employment_type']]);
  await applyDates();
  expect(await events(id)).toHaveLength(emitted.length);
});

test('changes the status by an action and returns the actions allowed next', async () => {
  const id = await acme.employ();
  const changeStatus = (action: string) => post(`update-status/${id}`, { action });
  expect(await changeStatus('suspend')).toMatchObject({ body: { data: { status: 'suspended' } } });
  expect(await changeStatus('suspend')).toMatchObject({ status: 200 });
  expect(await changeStatus('begin_long_leave')).toMatchObject({
    status: 409,
    body: { code: 'invalid_transition', details: { from: 'suspended', allowed: expect.arrayContaining(['resume']) } },
  });
  expect(await changeStatus('resume')).toMatchObject({ body: { data: { status: 'active' } } });
  expect((await events(id)).map(([, { from, status }]) => [from, status])).toEqual([
    ['active', 'suspended'],
    ['suspended', 'active'],
  ]);
});
