import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { type LeaveFixture, openLeaveOffice, faultResponse } from '../../../test/leave.ts';

const { serving, company, office: openOffice } = await openLeaveOffice();
let office: LeaveFixture;
beforeEach(async () => {
  office = await openOffice();
});

const listApprovals = async (by: Member, query = '') => (await by.get(`/api/hrm/approvals${query}`)).body.data;
const decide = (id: string, by: Member, body: object = { action: 'approve' }) =>
  by.post(`/api/hrm/approvals/${id}`, body);
const hire = async ({ acme }: LeaveFixture, name: string) => {
  const member = acme.member({ can: [], name });
  return { member, id: await acme.employ({ name, user_id: member.caller.user_id }) };
};

describe('approvals', () => {
  test('list requests awaiting the decision of the caller, sorted and filtered', async () => {
    const { manager, ada, request, createRequest, acme } = office;
    const id = await createRequest({ reason: 'Sailing' });
    await request({ from: '2026-07-01', to: '2026-07-02' });
    const other = await hire(office, 'Other boss');
    expect(await listApprovals(manager, '?sort=from&expand=employee,leave_type')).toMatchObject([
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
    expect(await listApprovals(manager, '?from=2026-07-01')).toHaveLength(1);
    expect(await listApprovals(manager)).not.toMatchObject([{ attachment: expect.anything() }]);
    expect(await manager.get('/api/hrm/approvals?sort=reason')).toMatchObject({ status: 422 });
    expect(await listApprovals(ada)).toEqual([]);
    expect(await listApprovals(other.member)).toEqual([]);
    expect(await decide(id, other.member)).toMatchObject({ status: 404 });
    expect(await decide(id, acme.member({ kind: 'client' }))).toMatchObject(faultResponse(403, 'not_an_employee'));
    expect(await decide(id, manager, { action: 'cancel' })).toMatchObject({ status: 422 });
    expect(await decide(id, manager, { action: 'reject' })).toMatchObject({
      status: 422,
      body: { errors: { remark: [expect.any(String)] } },
    });
    expect(await decide(id, manager, { action: 'reject', remark: 'Stocktaking' })).toMatchObject({ status: 200 });
    expect(await listApprovals(manager)).toHaveLength(1);
  });

  test('go to the deputy of an absent manager on the days of the deputy', async () => {
    const { manager, time, ids, createRequest } = office;
    const deputy = await hire(office, 'Deputy');
    const id = await createRequest();
    expect(
      await manager.post('/api/hrm/deputy', {
        user_id: deputy.member.caller.user_id,
        from: '2026-02-16',
        to: '2026-02-20',
      }),
    ).toMatchObject({ status: 200, body: { data: { deputies: [{ name: 'Deputy', from: '2026-02-16' }] } } });
    expect(await decide(id, deputy.member)).toMatchObject({ status: 404 });
    time.goTo('2026-02-16T08:00:00Z');
    expect(await listApprovals(deputy.member)).toMatchObject([{ id }]);
    expect(await decide(id, deputy.member)).toMatchObject({
      status: 200,
      body: { data: { decided_by: deputy.member.caller.user_id, on_behalf_of: ids.manager } },
    });
    // While the manager is present, requests go to the manager. During their leave, requests go to the deputy.
    const type = office.type;
    const mine = await manager.post('/api/hrm/leave-request', {
      leave_type_id: type,
      from: '2026-02-17',
      to: '2026-02-18',
    });
    expect(mine.body.data).toMatchObject({ approver_id: null });
    await office.approve(mine.body.data.id);
    expect((await office.request({ from: '2026-07-01', to: '2026-07-01' })).body.data).toMatchObject({
      approver_id: ids.manager,
    });
    time.goTo('2026-02-17T08:00:00Z');
    const { data } = (await office.request({ from: '2026-07-02', to: '2026-07-02' })).body;
    expect(data).toMatchObject({ approver_id: deputy.id, on_behalf_of: ids.manager });
    time.goTo('2026-02-23T08:00:00Z');
    // A requested approver remains responsible.
    expect(await decide(data.id, deputy.member)).toMatchObject({ body: { data: { on_behalf_of: ids.manager } } });
  });

  test('go to the department head without a manager, else to no specific approver', async () => {
    const { acme, type } = office;
    const lone = await hire(office, 'Lone');
    const requestLeave = () =>
      lone.member.post('/api/hrm/leave-request', { leave_type_id: type, from: '2026-06-01', to: '2026-06-01' });
    const first = (await requestLeave()).body.data;
    expect(first).toMatchObject({ approver_id: null });
    await lone.member.post(`/api/hrm/leave-cancel/${first.id}`, {});
    const head = await hire(office, 'Head');
    const { department_id } = (await acme.owner.get(`/api/employee/show/${lone.id}`)).body.data;
    const changeHead = (head_id: string | null) =>
      acme.owner.post(`/api/department/update/${department_id}`, { head_id });
    expect(await changeHead(head.id)).toMatchObject({ status: 200, body: { data: { head_id: head.id } } });
    const shown = (await acme.owner.get(`/api/departments?expand=head&head_id=${head.id}`)).body.data;
    expect(shown).toMatchObject([{ id: department_id, head: { id: head.id, name: 'Head' } }]);
    expect((await requestLeave()).body.data).toMatchObject({ approver_id: head.id });
    expect(await listApprovals(head.member)).toHaveLength(1);
    expect(await acme.owner.delete(`/api/employee/delete/${head.id}`)).toMatchObject({ status: 409 });
    expect(await changeHead('00000000-0000-4000-8000-000000000000')).toMatchObject({ status: 422 });
    expect(await changeHead(null)).toMatchObject({ status: 200, body: { data: { head_id: null } } });
  });
});

describe('a deputy', () => {
  const name = (by: Member, body: object) =>
    by.post('/api/hrm/deputy', { from: '2026-03-02', to: '2026-03-13', ...body });

  test('is unique per day: the latest assignment applies, and none removes the deputy', async () => {
    const { manager } = office;
    const [one, other] = [await hire(office, 'One'), await hire(office, 'Other')];
    await name(manager, { user_id: one.member.caller.user_id });
    const { body } = await name(manager, {
      user_id: other.member.caller.user_id,
      from: '2026-03-04',
      to: '2026-03-05',
    });
    expect(body.data.deputies).toMatchObject([
      { name: 'One', from: '2026-03-02', to: '2026-03-03' },
      { name: 'Other', from: '2026-03-04', to: '2026-03-05' },
      { name: 'One', from: '2026-03-06', to: '2026-03-13' },
    ]);
    expect((await name(manager, { to: '2026-03-31' })).body.data.deputies).toEqual([]);
  });

  test('must be a colleague, for present or future days, and not the caller', async () => {
    const { manager, acme } = office;
    const rival = await company();
    const outsider = rival.member();
    await rival.employ({ user_id: outsider.caller.user_id });
    for (const [body, field] of [
      [{ user_id: manager.caller.user_id }, 'user_id'],
      [{ user_id: outsider.caller.user_id }, 'user_id'],
      [{ user_id: acme.owner.caller.user_id }, 'user_id'],
      [{ to: '2026-03-01' }, 'to'],
      [{ from: '2026-01-01', to: '2026-01-02' }, 'to'],
      [{ employee_id: 'x' }, 'employee_id'],
    ] as const) {
      const reply = await name(manager, body);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    }
    expect(await name(acme.owner, {})).toMatchObject(faultResponse(403, 'not_an_employee'));
    expect(await serving.sql`SELECT FROM deputies WHERE workspace_id = ${acme.workspace}`).toHaveLength(0);
  });
});
