import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, waitUntil } from '@suite/testing';
import { type LeaveFixture, openLeaveOffice } from '../../../test/leave.ts';
import { recountDueLeave } from './recount-due-leave.ts';

const { serving, office: openOffice } = await openLeaveOffice();
const { announce } = await eventPublisher(serving);
const failures: unknown[] = [];
const log = { error: (error: unknown) => failures.push(error) } as never;
let office: LeaveFixture;
beforeEach(async () => {
  failures.length = 0;
  office = await openOffice();
});

const post = (path: string, body: object) => office.acme.owner.post(`/api/${path}`, body);
const createRecord = async (path: string, body: object): Promise<string> =>
  (await post(`${path}/create`, body)).body.data.id;

/** Delivers the last event of a type to its hr consumer, and recounts due leave. */
async function deliver(type: string, key: string, consumer: string): Promise<void> {
  const { workspace } = office.acme;
  const events = await serving.sql<{ data: Record<string, unknown> }>`
    SELECT data FROM journal_events WHERE workspace_id = ${workspace} AND type = ${type} ORDER BY position`;
  const { [key]: of, ...rest } = events.at(-1)!.data;
  const id = await announce(workspace, type, { [key]: of, ...rest }, { position: events.length });
  await waitUntil('leave is marked for a recount', async () => {
    const taken = await serving.sql`SELECT FROM inbox WHERE event_id = ${id} AND consumer = ${consumer}`;
    return taken.length > 0;
  });
  await recountDueLeave({ database: serving.database as never, log });
}
const deliverTransfer = () => deliver('hr.employee.updated', 'employee_id', 'hr.recount-leave-of-mover');
const deliverShiftChange = () => deliver('hr.shift.changed', 'shift_id', 'hr.recount-leave-of-shift');
const attendance = async (status = 'on_leave') =>
  (await office.acme.owner.get(`/api/attendances?sort=local_date&status=${status}`)).body.data.map(
    ({ local_date }: { local_date: string }) => local_date,
  );
const night = { start: '22:00', end: '06:00', break_minutes: 30, timezone: 'Europe/Berlin' };

describe('granted leave', () => {
  beforeEach(async () => {
    await office.approve(await office.createRequest());
  });

  test('is recounted on a move to a branch with other holidays, from its first day', async () => {
    const branch_id = await createRecord('branch', { name: 'Harbour' });
    const calendar_id = await createRecord('holiday-calendar', { name: 'Harbour', branch_id });
    for (const from of ['2026-06-01', '2026-06-03'])
      await createRecord('holiday', { calendar_id, name: 'Port day', from });
    await post(`employee/update/${office.ids.ada}`, { branch_id, effective_from: '2026-06-02' });
    await deliverTransfer();
    expect(await office.list()).toMatchObject([{ status: 'approved', days: '2' }]);
    expect(await attendance('on_leave')).toEqual(['2026-06-01', '2026-06-02']);
    expect(await attendance('holiday')).toEqual(['2026-06-03']);
    expect(await office.available()).toBe('22');
  });

  test('is recounted for an employee who moves to another shift', async () => {
    const shift_id = await createRecord('shift', { name: 'Night', days: [1, 3, 5], ...night });
    await post(`employee/update/${office.ids.ada}`, { shift_id, effective_from: '2026-05-01' });
    await deliverTransfer();
    expect(await office.list()).toMatchObject([{ days: '2' }]);
    expect(await attendance()).toEqual(['2026-06-01', '2026-06-03']);
  });

  test('is recounted for a shift whose weekdays change', async () => {
    const [{ id }] = (await office.acme.owner.get('/api/shifts')).body.data;
    await post(`shift/update/${id}`, { days: [2, 3, 4, 5, 6] });
    await deliverShiftChange();
    expect(await office.list()).toMatchObject([{ days: '2' }]);
    expect(await attendance()).toEqual(['2026-06-02', '2026-06-03']);
    await post(`shift/update/${id}`, { days: [1, 2, 3, 4, 5] });
    await deliverShiftChange();
    expect(await office.list()).toMatchObject([{ days: '3' }]);
    expect(await office.available()).toBe('21');
  });

  test('is recounted after a change for all employees, and retried after a failure', async () => {
    const { acme, approve, create } = office;
    const others: string[] = [];
    for (const name of ['Bob', 'Cleo'])
      others.push((await create({ employee_id: await acme.employ({ name }) })).body.data.id);
    for (const id of others) await approve(id);
    const [bad] = others;
    await serving.admin.query(
      `ALTER TABLE leave_applications ADD CONSTRAINT fails_once CHECK (id <> '${bad}' OR days = 3)`,
    );
    await createRecord('holiday', { name: 'Festival', from: '2026-06-02' });
    await deliver('hr.holiday_calendar.changed', 'holiday_calendar_id', 'hr.recount-leave');
    const days = async () => Object.fromEntries((await office.list()).map(({ id, days: counted }) => [id, counted]));
    expect(failures).toHaveLength(1);
    expect(
      Object.values(await days())
        .map(String)
        .toSorted(),
    ).toEqual(['2', '2', '3']);
    expect((await days())[bad!]).toBe('3');
    await serving.admin.query('ALTER TABLE leave_applications DROP CONSTRAINT fails_once');
    office.time.goTo('2026-02-10T10:02:00Z');
    await recountDueLeave({ database: serving.database as never, log });
    expect((await days())[bad!]).toBe('2');
    expect(await serving.sql`SELECT FROM leave_recounts WHERE workspace_id = ${acme.workspace}`).toEqual([]);
  });
});
