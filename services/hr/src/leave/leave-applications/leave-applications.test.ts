import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type LeaveFixture, openLeaveOffice, faultResponse } from '../../../test/leave.ts';

const { serving, office: openOffice } = await openLeaveOffice();
let office: LeaveFixture;
beforeEach(async () => {
  office = await openOffice();
});

describe('leave', () => {
  test('is requested, awaits the manager, and returns the remaining balance', async () => {
    const { ada, ids, type, request, available, events } = office;
    const { status, body } = await request({ reason: 'Sailing' });
    expect([status, body.data]).toMatchObject([
      201,
      {
        employee_id: ids.ada,
        leave_type_id: type,
        status: 'pending',
        days: '3',
        days_by_year: { 2026: '3' },
        balance_before: '24',
        balance_after: '21',
        approver_id: ids.manager,
        reason: 'Sailing',
        warnings: [],
        allowed_actions: ['update', 'cancel'],
      },
    ]);
    expect(await events(body.data.id)).toEqual([
      [
        'hr.leave.requested',
        {
          leave_id: body.data.id,
          employee_id: ids.ada,
          user_id: ada.caller.user_id,
          from: '2026-06-01',
          to: '2026-06-03',
          half: 'none',
        },
      ],
    ]);
    expect(await available('2026-06-01')).toBe('21');
  });

  test('is charged once when approved, entered in attendance and announced', async () => {
    const { acme, createRequest, approve, available, events } = office;
    const id = await createRequest();
    const { status, body } = await approve(id);
    expect([status, body.data]).toMatchObject([
      200,
      {
        status: 'approved',
        decided_by: acme.owner.caller.user_id,
        ledger_lines: [
          { kind: 'taken', days: '-1', day: '2026-06-01' },
          { kind: 'taken', days: '-1', day: '2026-06-02' },
          { kind: 'taken', days: '-1', day: '2026-06-03' },
        ],
        attendance_days: [
          { local_date: '2026-06-01', status: 'on_leave' },
          { local_date: '2026-06-02', status: 'on_leave' },
          { local_date: '2026-06-03', status: 'on_leave' },
        ],
        allowed_actions: ['cancel'],
      },
    ]);
    const again = await runConcurrently(10, () => approve(id));
    expect(sortedStatuses(again)).toEqual(Array(10).fill(200));
    expect(again[0]!.body.data).toMatchObject({ status: 'approved', ledger_lines: [] });
    expect((await events(id)).map(([name]) => name)).toEqual(['hr.leave.requested', 'hr.leave.approved']);
    expect(await available('2026-06-01')).toBe('21');
  });

  test('stores nothing in a dry run', async () => {
    const { acme, ada, type, createRequest, list } = office;
    const { body } = await ada.post('/api/hrm/leave-request?dry_run=true', {
      leave_type_id: type,
      from: '2026-06-01',
      to: '2026-06-03',
    });
    expect(body.data).toMatchObject({ days: '3', balance_after: '21' });
    expect(await list()).toEqual([]);
    const id = await createRequest();
    const dry = await acme.owner.post(`/api/leave-application/update-status/${id}?dry_run=true`, { action: 'approve' });
    expect(dry.body.data).toMatchObject({ status: 'approved', ledger_lines: [{}, {}, {}] });
    expect(await list()).toMatchObject([{ status: 'pending' }]);
    expect((await acme.owner.get('/api/attendances')).body.data).toEqual([]);
  });

  test('returns a reason and releases its days when rejected', async () => {
    const { request, createRequest, act, approve, available } = office;
    const id = await createRequest();
    expect(await act(id, { action: 'reject' })).toMatchObject({
      status: 422,
      body: { errors: { remark: [expect.any(String)] } },
    });
    expect(await act(id, { action: 'reject', remark: 'Stocktaking' })).toMatchObject({
      status: 200,
      body: { data: { status: 'rejected', remark: 'Stocktaking', allowed_actions: [] } },
    });
    expect(await act(id, { action: 'reject', remark: 'Again' })).toMatchObject({
      status: 200,
      body: { data: { remark: 'Stocktaking' } },
    });
    expect(await approve(id)).toMatchObject(
      faultResponse(409, 'invalid_transition', { from: 'rejected', allowed: [] }),
    );
    expect(await available()).toBe('24');
    expect(await request()).toMatchObject({ status: 201 });
  });

  test('returns its days to the balance and clears the attendance when cancelled', async () => {
    const { acme, createRequest, act, approve, available, events } = office;
    const id = await createRequest();
    await approve(id);
    expect(await act(id, { action: 'cancel', remark: 'Needed here' })).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'cancelled',
          ledger_lines: [{ kind: 'restored', days: '1' }, { kind: 'restored' }, { kind: 'restored' }],
          attendance_days: [],
        },
      },
    });
    expect((await acme.owner.get('/api/attendances')).body.data).toEqual([]);
    expect(await available()).toBe('24');
    expect((await events(id)).at(-1)).toMatchObject(['hr.leave.cancelled', { from: '2026-06-01' }]);
  });

  test('is cancelled from a day on, retains earlier days and records its history', async () => {
    const { createRequest, act, approve, list, available, events } = office;
    const id = await createRequest({ to: '2026-06-05', starts_midday: true });
    await approve(id);
    for (const from of ['2026-06-01', '2026-06-06', '2026-05-30'])
      expect(await act(id, { action: 'cancel', from })).toMatchObject({
        status: 422,
        body: { errors: { from: [expect.any(String)] } },
      });
    expect(await act(id, { action: 'cancel', from: '2026-06-03' })).toMatchObject({
      body: {
        data: {
          status: 'approved',
          to: '2026-06-02',
          days: '1.5',
          days_by_year: { 2026: '1.5' },
          ledger_lines: [{ day: '2026-06-03' }, { day: '2026-06-04' }, { day: '2026-06-05' }],
          attendance_days: [{ local_date: '2026-06-01' }, { local_date: '2026-06-02' }],
        },
      },
    });
    expect(await available()).toBe('22.5');
    expect(await list('expand=changes')).toMatchObject([{ changes: [{ to: '2026-06-05', days: '4.5' }] }]);
    expect(await act(id, { action: 'cancel', from: '2026-06-02' })).toMatchObject({
      body: { data: { half_day: 'second', to: '2026-06-01', days: '0.5' } },
    });
    expect((await events(id)).at(-1)).toMatchObject([
      'hr.leave.updated',
      { from: '2026-06-01', to: '2026-06-01', status: 'approved' },
    ]);
  });

  test('can be cancelled by the employee until the day before it begins', async () => {
    const { ada, time, createRequest, act, approve } = office;
    const id = await createRequest();
    await approve(id);
    time.goTo('2026-05-31T21:59:00Z');
    expect(await ada.post(`/api/hrm/leave-cancel/${id}`, {})).toMatchObject({
      body: { data: { status: 'cancelled' } },
    });
    expect(await ada.post(`/api/hrm/leave-cancel/${id}`, {})).toMatchObject({ status: 200 });
    const late = await createRequest();
    await approve(late);
    time.goTo('2026-05-31T22:00:00Z');
    expect(await ada.post(`/api/hrm/leave-cancel/${late}`, {})).toMatchObject(faultResponse(409, 'leave_has_begun'));
    expect(await act(late, { action: 'cancel' })).toMatchObject({ status: 200 });
  });

  test('cannot be decided by the employee, only by their approver', async () => {
    const { acme, manager, ada, createRequest, create, act } = office;
    const self = acme.member({ user_id: ada.caller.user_id });
    const id = await createRequest();
    for (const action of ['approve', 'cancel'])
      expect(await act(id, { action }, self)).toMatchObject(faultResponse(409, 'own_record'));
    expect(await create({}, self)).toMatchObject(faultResponse(409, 'own_record'));
    expect(await act(id, { action: 'approve' }, acme.member({ can: ['leave.view'] }))).toMatchObject({ status: 403 });
    expect(await manager.post(`/api/hrm/approvals/${id}`, { action: 'approve' })).toMatchObject({
      status: 200,
      body: { data: { status: 'approved', decided_by: manager.caller.user_id, on_behalf_of: null } },
    });
    expect(await ada.post(`/api/hrm/approvals/${id}`, { action: 'approve' })).toMatchObject({ status: 404 });
    expect(await acme.owner.get('/api/hrm/approvals')).toMatchObject(faultResponse(403, 'not_an_employee'));
  });

  test('requires two approvals if its type does', async () => {
    const { acme, manager, ada, createRequest, approve } = office;
    const second = await acme.leaveType({
      name: 'Sabbatical',
      code: 'sabbatical',
      second_step: true,
      accrual: 'upfront',
    });
    const id = await createRequest({ leave_type_id: second });
    const first = await manager.post(`/api/hrm/approvals/${id}`, { action: 'approve' });
    expect(first.body.data).toMatchObject({ status: 'first_approved', ledger_lines: [] });
    expect(await manager.post(`/api/hrm/approvals/${id}`, { action: 'approve' })).toMatchObject({
      status: 200,
      body: { data: { status: 'first_approved' } },
    });
    expect(await ada.post(`/api/hrm/leave-update/${id}`, { to: '2026-06-02' })).toMatchObject({
      body: { data: { status: 'pending', days: '2', first_approved_by: null } },
    });
    const kim = acme.member();
    expect((await approve(id, kim)).body.data).toMatchObject({
      status: 'first_approved',
      allowed_actions: expect.not.arrayContaining(['approve']),
    });
    expect((await approve(id, kim)).body.data).toMatchObject({ status: 'first_approved' });
    expect((await approve(id)).body.data).toMatchObject({ status: 'approved', first_approved_by: kim.caller.user_id });
  });
});

describe('a pending leave request', () => {
  test('is checked again after a change', async () => {
    const { acme, manager, ada, createRequest, approve } = office;
    const id = await createRequest();
    const change = (body: object, by = acme.owner) => by.post(`/api/leave-application/update/${id}`, body);
    expect(await change({ to: '2026-06-05', version: 1 })).toMatchObject({
      status: 200,
      body: { data: { days: '5', balance_before: '24', balance_after: '19' } },
    });
    expect(await change({ to: '2026-06-04', version: 1 })).toMatchObject({ status: 412 });
    expect(await change({ to: '2026-08-31' })).toMatchObject(faultResponse(409, 'insufficient_balance'));
    expect(await ada.post(`/api/hrm/leave-update/${id}`, { from: '2026-06-04' })).toMatchObject({
      body: { data: { from: '2026-06-04', to: '2026-06-05', days: '2' } },
    });
    expect(await manager.post(`/api/hrm/leave-update/${id}`, { from: '2026-06-04' })).toMatchObject({ status: 404 });
    await approve(id);
    expect(await change({ to: '2026-06-04' })).toMatchObject(faultResponse(409, 'invalid_transition'));
    expect(await acme.owner.delete(`/api/leave-application/delete/${id}`)).toMatchObject(
      faultResponse(409, 'invalid_transition'),
    );
  });

  test('is deleted completely', async () => {
    const { acme, createRequest, list, available } = office;
    const id = await createRequest();
    expect(await acme.owner.delete(`/api/leave-application/delete/${id}`)).toMatchObject({ status: 200 });
    expect(await list()).toEqual([]);
    expect(await serving.sql`SELECT FROM leave_days WHERE application_id = ${id}`).toHaveLength(0);
    expect(await available()).toBe('24');
  });
});
