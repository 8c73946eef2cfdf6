import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { type LeaveOffice, openLeaveOffice, refused } from '../../../test/leave.ts';

const { serving, company, office: openOffice } = await openLeaveOffice();
let office: LeaveOffice;
beforeEach(async () => {
  office = await openOffice();
});

const waiting = async (by: Member, query = '') => (await by.get(`/api/hrm/approvals${query}`)).body.data;
const decide = (id: string, by: Member, body: object = { action: 'approve' }) =>
  by.post(`/api/hrm/approvals/${id}`, body);
const hire = async ({ acme }: LeaveOffice, name: string) => {
  const member = acme.member({ can: [], name });
  return { member, id: await acme.employ({ name, user_id: member.caller.user_id }) };
};

describe('approvals', () => {
  test('list requests awaiting the decision of the caller, sorted and filtered', async () => {
    const { boss, ada, request, asked, acme } = office;
    const id = await asked({ reason: 'Sailing' });
    await request({ from: '2026-07-01', to: '2026-07-02' });
    const other = await hire(office, 'Other boss');
    expect(await waiting(boss, '?sort=from&expand=employee,leave_type')).toMatchObject([
      {
        id,
        reason: 'Sailing',
        employee: { name: 'Ada Lovelace' },
        leave_type: { code: 'holiday' },
        days_by_year: { 2026: '3' },
        allowed_actions: ['approve', 'reject'],
      },
      { from: '2026-07-01' },
    ]);
    expect(await waiting(boss, '?from=2026-07-01')).toHaveLength(1);
    expect(await waiting(boss)).not.toMatchObject([{ attachment: expect.anything() }]);
    expect(await boss.get('/api/hrm/approvals?sort=reason')).toMatchObject({ status: 422 });
    expect(await waiting(ada)).toEqual([]);
    expect(await waiting(other.member)).toEqual([]);
    expect(await decide(id, other.member)).toMatchObject({ status: 404 });
    expect(await decide(id, acme.member({ kind: 'client' }))).toMatchObject(refused(403, 'not_an_employee'));
    expect(await decide(id, boss, { action: 'cancel' })).toMatchObject({ status: 422 });
    expect(await decide(id, boss, { action: 'reject' })).toMatchObject({
      status: 422,
      body: { errors: { remark: [expect.any(String)] } },
    });
    expect(await decide(id, boss, { action: 'reject', remark: 'Stocktaking' })).toMatchObject({ status: 200 });
    expect(await waiting(boss)).toHaveLength(1);
  });

  test('go to the deputy of an absent manager on the days of the deputy', async () => {
    const { boss, time, ids, asked } = office;
    const deputy = await hire(office, 'Deputy');
    const id = await asked();
    expect(
      await boss.post('/api/hrm/deputy', {
        user_id: deputy.member.caller.user_id,
        from: '2026-02-16',
        to: '2026-02-20',
      }),
    ).toMatchObject({ status: 200, body: { data: { deputies: [{ name: 'Deputy', from: '2026-02-16' }] } } });
    expect(await decide(id, deputy.member)).toMatchObject({ status: 404 });
    time.goTo('2026-02-16T08:00:00Z');
    expect(await waiting(deputy.member)).toMatchObject([{ id }]);
    expect(await decide(id, deputy.member)).toMatchObject({
      status: 200,
      body: { data: { decided_by: deputy.member.caller.user_id, on_behalf_of: ids.boss } },
    });
    // While the manager is present, requests go to the manager. During their leave, requests go to the deputy.
    const type = office.type;
    const mine = await boss.post('/api/hrm/leave-request', {
      leave_type_id: type,
      from: '2026-02-17',
      to: '2026-02-18',
    });
    expect(mine.body.data).toMatchObject({ approver_id: null });
    await office.approve(mine.body.data.id);
    expect((await office.request({ from: '2026-07-01', to: '2026-07-01' })).body.data).toMatchObject({
      approver_id: ids.boss,
    });
    time.goTo('2026-02-17T08:00:00Z');
    const { data } = (await office.request({ from: '2026-07-02', to: '2026-07-02' })).body;
    expect(data).toMatchObject({ approver_id: deputy.id, on_behalf_of: ids.boss });
    time.goTo('2026-02-23T08:00:00Z');
    // A requested approver remains responsible.
    expect(await decide(data.id, deputy.member)).toMatchObject({ body: { data: { on_behalf_of: ids.boss } } });
  });

  test('go to the department head without a manager, else to no specific approver', async () => {
    const { acme, type } = office;
    const lone = await hire(office, 'Lone');
    const ask = () =>
      lone.member.post('/api/hrm/leave-request', { leave_type_id: type, from: '2026-06-01', to: '2026-06-01' });
    const first = (await ask()).body.data;
    expect(first).toMatchObject({ approver_id: null });
    await lone.member.post(`/api/hrm/leave-cancel/${first.id}`, {});
    const head = await hire(office, 'Head');
    const { department_id } = (await acme.owner.get(`/api/employee/show/${lone.id}`)).body.data;
    const lead = (head_id: string | null) => acme.owner.post(`/api/department/update/${department_id}`, { head_id });
    expect(await lead(head.id)).toMatchObject({ status: 200, body: { data: { head_id: head.id } } });
    const shown = (await acme.owner.get(`/api/departments?expand=head&head_id=${head.id}`)).body.data;
    expect(shown).toMatchObject([{ id: department_id, head: { id: head.id, name: 'Head' } }]);
    expect((await ask()).body.data).toMatchObject({ approver_id: head.id });
    expect(await waiting(head.member)).toHaveLength(1);
    expect(await acme.owner.delete(`/api/employee/delete/${head.id}`)).toMatchObject({ status: 409 });
    expect(await lead('00000000-0000-4000-8000-000000000000')).toMatchObject({ status: 422 });
    expect(await lead(null)).toMatchObject({ status: 200, body: { data: { head_id: null } } });
  });
});

describe('a deputy', () => {
  const name = (by: Member, body: object) =>
    by.post('/api/hrm/deputy', { from: '2026-03-02', to: '2026-03-13', ...body });

  test('is unique per day: the latest assignment applies, and none removes the deputy', async () => {
    const { boss } = office;
    const [one, other] = [await hire(office, 'One'), await hire(office, 'Other')];
    await name(boss, { user_id: one.member.caller.user_id });
    const { body } = await name(boss, { user_id: other.member.caller.user_id, from: '2026-03-04', to: '2026-03-05' });
    expect(body.data.deputies).toMatchObject([
      { name: 'One', from: '2026-03-02', to: '2026-03-03' },
      { name: 'Other', from: '2026-03-04', to: '2026-03-05' },
      { name: 'One', from: '2026-03-06', to: '2026-03-13' },
    ]);
    expect((await name(boss, { to: '2026-03-31' })).body.data.deputies).toEqual([]);
  });

  test('must be a colleague, for present or future days, and not the caller', async () => {
    const { boss, acme } = office;
    const rival = await company();
    const stranger = rival.member();
    await rival.employ({ user_id: stranger.caller.user_id });
    for (const [body, field] of [
      [{ user_id: boss.caller.user_id }, 'user_id'],
      [{ user_id: stranger.caller.user_id }, 'user_id'],
      [{ user_id: acme.owner.caller.user_id }, 'user_id'],
      [{ to: '2026-03-01' }, 'to'],
      [{ from: '2026-01-01', to: '2026-01-02' }, 'to'],
      [{ employee_id: 'x' }, 'employee_id'],
    ] as const) {
      const reply = await name(boss, body);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    }
    expect(await name(acme.owner, {})).toMatchObject(refused(403, 'not_an_employee'));
    expect(await serving.sql`SELECT FROM deputies WHERE workspace_id = ${acme.workspace}`).toHaveLength(0);
  });
});
