import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { type SignedInEmployee, type NoticesFixture, openOffices } from '../../../test/notices.ts';

const { serving, office } = await openOffices();
let acme: NoticesFixture;
let ada: SignedInEmployee;
let time: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  // A Monday.
  time = freezeClock('2026-06-15T10:00:00Z');
  acme = await office();
  ada = await acme.hire('Ada', { dob: '1990-06-20' }, { can: [] });
});

const home = async ({ user }: Pick<SignedInEmployee, 'user'> = ada) => (await user.get('/api/hrm/home')).body.data;

describe('home and the lists that it summarises', () => {
  test('show the same balances, even in the last year of an employment', async () => {
    await acme.owner.post('/api/resignation/create', {
      employee_id: ada.id,
      notice_date: '2026-06-15',
      last_day: '2026-06-16',
      waive_notice: true,
      reason: 'Moves',
    });
    await serving.sql`UPDATE employees SET gender = 'female' WHERE id = ${ada.id}`;
    await acme.owner.post('/api/leave-type/create', { name: 'Paternity', code: 'paternity', gender: 'male' });
    await acme.owner.post('/api/leave-type/create', { name: 'Maternity', code: 'maternity', gender: 'female' });
    await serving.sql`UPDATE employments SET exit_date = '2026-06-16' WHERE employee_id = ${ada.id}`;
    for (const day of ['2026-06-16T08:00:00Z', '2026-07-20T08:00:00Z']) {
      time.goTo(day);
      const types = (await ada.user.get('/api/hrm/get-leaves-types')).body.data;
      type LeaveTypeBalance = { id: string; code: string; balance: Record<'available' | 'taken' | 'pending', string> };
      const figures = types.map(({ id, code, balance: { available, taken, pending } }: LeaveTypeBalance) => ({
        leave_type_id: id,
        code,
        available,
        taken,
        pending,
      }));
      expect(figures.map(({ code }: { code: string }) => code)).toContain('maternity');
      const { balances } = await home();
      expect(balances).toHaveLength(figures.length);
      expect(balances).toMatchObject(figures);
    }
  });

  test('show the same status of today, and both halves of its leave', async () => {
    const calendarToday = async () => {
      const { body } = await ada.user.post('/api/hrm/attendence-history', { month: '2026-06' });
      const { status, leaves } = body.data.find((day: { local_date: string }) => day.local_date === '2026-06-15');
      const shown = (await home()).today;
      expect(shown).toMatchObject({ local_date: '2026-06-15', status, leaves });
      return { status, leaves };
    };
    expect(await calendarToday()).toEqual({ status: null, leaves: [] });
    time.goTo('2026-06-15T21:00:00Z');
    expect(await calendarToday()).toEqual({ status: 'unmarked', leaves: [] });
    const types = (await ada.user.get('/api/hrm/get-leaves-types')).body.data;
    const leave_type_id = types.find(({ code }: { code: string }) => code === 'unpaid').id;
    for (const half_day of ['first', 'second']) {
      const days = { from: '2026-06-15', to: '2026-06-15', half_day };
      const request = { employee_id: ada.id, leave_type_id, reason: 'Moves', ...days };
      const { body } = await acme.owner.post('/api/leave-application/create', request);
      const approved = await acme.owner.post(`/api/leave-application/update-status/${body.data.id}`, {
        action: 'approve',
      });
      expect(approved.status).toBe(200);
    }
    expect(await calendarToday()).toMatchObject({
      status: 'on_leave',
      leaves: [{ part: 'first' }, { part: 'second' }],
    });
  });

  test('show the same requests to an approver and a deputy, until the approver leaves', async () => {
    const lead = await acme.hire('Lee', {}, { can: [] });
    const deputy = await acme.hire('Dee', {}, { can: [] });
    await serving.sql`UPDATE employees SET manager_id = ${lead.id} WHERE id = ${ada.id}`;
    const types = (await ada.user.get('/api/hrm/get-leaves-types')).body.data;
    const leave_type_id = types.find(({ code }: { code: string }) => code === 'unpaid').id;
    const days = { from: '2026-07-06', to: '2026-07-07' };
    const { body } = await ada.user.post('/api/hrm/leave-request', { leave_type_id, reason: 'A wedding', ...days });
    await serving.sql`INSERT INTO deputies (id, workspace_id, employee_id, deputy_id, "from", "to")
      VALUES (gen_random_uuid(), ${acme.workspace}, ${lead.id}, ${deputy.id}, '2026-06-15', '2026-06-16')`;
    const listApprovals = async (colleague: SignedInEmployee) => {
      const listed = (await colleague.user.get('/api/hrm/approvals')).body.data.map(({ id }: { id: string }) => id);
      const { first, count } = (await home(colleague)).approvals_waiting;
      expect([count, first.map(({ id }: { id: string }) => id)]).toEqual([listed.length, listed]);
      return listed;
    };
    expect(await listApprovals(lead)).toEqual([body.data.id]);
    expect(await listApprovals(deputy)).toEqual([body.data.id]);
    await serving.sql`UPDATE employees SET status = 'left' WHERE id = ${lead.id}`;
    expect(await listApprovals(deputy)).toEqual([]);
    expect(await deputy.user.post(`/api/hrm/approvals/${body.data.id}`, { action: 'approve' })).toMatchObject({
      status: 404,
    });
  });
});
