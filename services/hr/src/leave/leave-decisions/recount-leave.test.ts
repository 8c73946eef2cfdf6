import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, waitUntil } from '@suite/testing';
import { type LeaveFixture, openLeaveOffice, faultResponse } from '../../../test/leave.ts';
import { applyEffectiveDates } from '../../employment/employment/effective-dates.ts';
import { cancelLeaveBehind } from './cancel-leave-after-exit.ts';
import { recountDueLeave } from './recount-due-leave.ts';

const { serving, office: openOffice } = await openLeaveOffice();
const { announce } = await eventPublisher(serving);
const log = { error() {} } as never;
const tools = { database: serving.database as never, log };
let office: LeaveFixture;
beforeEach(async () => {
  office = await openOffice();
});

/** Delivers the last calendar event and recounts due leave. @param times number of deliveries of the same event */
async function deliver(times = 1): Promise<void> {
  const { workspace } = office.acme;
  const events = await serving.sql`
    SELECT data FROM journal_events WHERE workspace_id = ${workspace} AND type = 'hr.holiday_calendar.changed' ORDER BY id`;
  const { holiday_calendar_id, ...span } = events.at(-1)!['data'] as { holiday_calendar_id: string };
  const event = { holiday_calendar_id, ...span };
  const id = await announce(workspace, 'hr.holiday_calendar.changed', event, { position: events.length, times });
  await waitUntil('leave is marked for a recount', async () => {
    const taken = await serving.sql`SELECT FROM inbox WHERE event_id = ${id} AND consumer = 'hr.recount-leave'`;
    return taken.length > 0;
  });
  await recountDueLeave(tools);
}
const addHoliday = async (from: string) => {
  const { body } = await office.acme.owner.post('/api/holiday/create', { name: 'Festival', from });
  await deliver(2);
  return body.data.id as string;
};
const removeHoliday = async (id: string) => {
  await office.acme.owner.delete(`/api/holiday/delete/${id}`);
  await deliver();
};
const mails = async () =>
  (await serving.sql`SELECT kind, days::text[] AS days FROM leave_mails WHERE workspace_id = ${office.acme.workspace}
    AND kind IN ('returned', 'charged', 'uncharged') ORDER BY created_at`) as unknown;
const lines = () => serving.sql`SELECT kind, days::float8 AS days, day::text AS day FROM leave_ledger
  WHERE workspace_id = ${office.acme.workspace} AND day IS NOT NULL ORDER BY id`;
const attendance = async () =>
  (await office.acme.owner.get('/api/attendances?sort=local_date')).body.data.map(
    ({ local_date }: { local_date: string }) => local_date,
  );

describe('a holiday', () => {
  test('returns a day of granted leave once, and notifies the employee', async () => {
    const id = await office.createRequest();
    await office.approve(id);
    const holiday = await addHoliday('2026-06-02');
    expect(await office.list()).toMatchObject([{ status: 'approved', days: '2', days_by_year: { 2026: '2' } }]);
    expect((await lines()).at(-1)).toEqual({ kind: 'restored', days: 1, day: '2026-06-02' });
    expect((await office.acme.owner.get('/api/attendances?sort=local_date')).body.data).toMatchObject([
      { status: 'on_leave', leave_id: id },
      { local_date: '2026-06-02', status: 'holiday', leave_id: null },
      { status: 'on_leave', leave_id: id },
    ]);
    expect(await office.available()).toBe('22');
    expect(await mails()).toEqual([{ kind: 'returned', days: ['2026-06-02'] }]);
    expect((await office.events(id)).at(-1)).toMatchObject(['hr.leave.updated', { status: 'approved' }]);
    await removeHoliday(holiday);
    expect(await office.list()).toMatchObject([{ days: '3' }]);
    expect(await attendance()).toEqual(['2026-06-01', '2026-06-02', '2026-06-03']);
    expect(await office.available()).toBe('21');
    expect(await mails()).toMatchObject([{ kind: 'returned' }, { kind: 'charged', days: ['2026-06-02'] }]);
  });

  test('charges no day beyond the balance when removed, and notifies the employee', async () => {
    const holiday = await addHoliday('2026-06-02');
    await office.approve(await office.createRequest());
    const rest = await office.createRequest({ from: '2026-07-06', to: '2026-08-04' });
    expect(rest).toBeTruthy();
    expect(await office.available()).toBe('0');
    await removeHoliday(holiday);
    expect(await office.list('sort=from')).toMatchObject([{ days: '2' }, { days: '22' }]);
    expect(await mails()).toEqual([{ kind: 'uncharged', days: ['2026-06-02'] }]);
  });

  test('changes pending leave, cancels it if no day remains, and keeps past leave', async () => {
    await office.createRequest();
    const one = await office.createRequest({ from: '2026-06-08', to: '2026-06-08' });
    await office.approve(one);
    await addHoliday('2026-06-02');
    await addHoliday('2026-06-08');
    expect(await office.list('sort=from')).toMatchObject([
      { status: 'pending', days: '2' },
      { status: 'cancelled', from: '2026-06-08' },
    ]);
    const past = await office.createRequest({ from: '2026-02-11', to: '2026-02-12' });
    await office.approve(past);
    office.time.goTo('2026-02-13T10:00:00Z');
    await addHoliday('2026-02-11');
    expect(await office.list(`id=${past}`)).toMatchObject([{ days: '2' }]);
  });
});

test('returns and expires carried days if leave is cancelled after their end', async () => {
  const { acme, ids, time, act } = office;
  const type = await acme.leaveType({
    name: 'Carried',
    code: 'carried',
    days_per_year: '20',
    accrual: 'upfront',
    carry_forward_max: '5',
    carry_expires_on: '03-31',
  });
  await acme.write(async (db) => {
    const employment = await db.employment.findFirstOrThrow({ where: { employee_id: ids.ada } });
    await db.leaveLedger.create({
      data: {
        employee_id: ids.ada,
        employment_id: employment.id,
        leave_type_id: type,
        kind: 'carry_forward',
        days: 5,
        valid_from: new Date('2026-01-01'),
        valid_to: new Date('2026-03-31'),
      },
    });
  });
  await acme.owner.post('/api/holiday/create', { name: 'Good Friday', from: '2026-04-03' });
  const id = await office.createRequest({ leave_type_id: type, from: '2026-03-30', to: '2026-04-03' });
  expect((await office.approve(id)).body.data).toMatchObject({ days: '4', ledger_lines: [{}, {}, {}, {}] });
  time.goTo('2026-04-07T10:00:00Z');
  const { data } = (await act(id, { action: 'cancel' })).body;
  expect(data.ledger_lines).toMatchObject([
    { kind: 'restored', days: '1' },
    { kind: 'restored', days: '1' },
    { kind: 'restored', days: '1' },
    { kind: 'restored', days: '1' },
    { kind: 'expiry', days: '-2' },
  ]);
  const { body } = await office.ada.get('/api/hrm/get-leaves-types');
  expect(body.data.find((one: { id: string }) => one.id === type).balance).toMatchObject({
    available: '20',
    expired: '5',
  });
});

test('cancels leave after the last day of a leaving employee', async () => {
  const { acme, ids, time } = office;
  await office.approve(await office.createRequest());
  await office.approve(await office.createRequest({ from: '2026-07-01', to: '2026-07-02' }));
  await office.createRequest({ from: '2026-08-03', to: '2026-08-04' });
  await acme.owner.post(`/api/employee/end-employment/${ids.ada}`, { exit_date: '2026-06-02', cause: 'resigned' });
  expect(await office.request({ from: '2026-09-01', to: '2026-09-01' })).toMatchObject(
    faultResponse(409, 'not_employed'),
  );
  time.goTo('2026-06-03T10:00:00Z');
  const failures: unknown[] = [];
  const log = { error: (error: unknown) => failures.push(error) } as never;
  await applyEffectiveDates({ database: serving.database as never, log }, [cancelLeaveBehind]);
  expect(failures).toEqual([]);
  expect(await office.list('sort=from&expand=changes')).toMatchObject([
    { status: 'approved', to: '2026-06-02', days: '2', changes: [{ to: '2026-06-03' }] },
    { status: 'cancelled' },
    { status: 'cancelled' },
  ]);
  expect(await office.ada.get('/api/hrm/get-leaves')).toMatchObject(faultResponse(403, 'not_an_employee'));
});

test('releases unpaid days of a final payslip only with the payroll permission', async () => {
  const { acme, ids, act } = office;
  const type = await acme.leaveType({ name: 'Without pay', code: 'without_pay', days_per_year: '0', paid: false });
  const id = await office.createRequest({ leave_type_id: type, from: '2026-02-12', to: '2026-02-13' });
  await office.approve(id);
  await acme.write(async (db) => {
    const [from, to] = [new Date('2026-02-01'), new Date('2026-02-28')];
    const run = await db.payroll.create({
      data: { title: 'February', period_start: from, period_end: to, pay_date: to, currency: 'EUR' },
    });
    const payslip = { payroll_id: run.id, employee_id: ids.ada, regular: true, period_start: from, period_end: to };
    await db.payrollEntry.create({ data: { ...payslip, status: 'paid' } });
  });
  const cancel = { action: 'cancel', from: '2026-02-13' };
  expect(await act(id, cancel)).toMatchObject(faultResponse(409, 'payroll_closed', { day: '2026-02-13' }));
  const payroll = acme.member({ can: ['leave.decide', 'payroll.run'] });
  expect(await act(id, { ...cancel, override: ['payroll_closed'] }, payroll)).toMatchObject({
    body: { data: { status: 'approved', to: '2026-02-12', days: '1' } },
  });
});
