import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { type LeaveFixture, openLeaveOffice, faultResponse } from '../../../test/leave.ts';

const { serving, office: openOffice } = await openLeaveOffice();
let office: LeaveFixture;
beforeEach(async () => {
  office = await openOffice();
});

describe('concurrent leave requests', () => {
  test('grant exactly the available days for 50 approvals beyond the balance', async () => {
    const { acme, request, approve, ids } = office;
    const days = Array.from({ length: 80 }, (_, at) => new Date(Date.UTC(2026, 5, 1 + at)).toISOString().slice(0, 10));
    const working = days.filter((day) => ![0, 6].includes(new Date(day).getUTCDay())).slice(0, 50);
    // At request time the policy allowed all requested days. Now it allows ten.
    const terms = { days_per_year: '10', accrual: 'upfront', allow_negative_to: '40' };
    const one = await acme.leaveType({ name: 'Few', code: 'few', ...terms });
    const createRequest = await runConcurrently(50, (at) =>
      request({ leave_type_id: one, from: working[at], to: working[at] }),
    );
    expect(sortedStatuses(createRequest)).toEqual(Array(50).fill(201));
    await serving.sql`UPDATE leave_types SET allow_negative_to = 0 WHERE id = ${one}`;
    const requests: string[] = createRequest.map(({ body }) => body.data.id);
    const decided = await runConcurrently(50, (at) => approve(requests[(at * 7) % 50]!));
    expect(decided.map(({ status, body }) => `${status} ${body.code ?? ''}`).toSorted()).toEqual([
      ...Array(10).fill('200 '),
      ...Array(40).fill('409 insufficient_balance'),
    ]);
    // Repeating all approvals changes nothing: granted requests stay granted, and no further one is.
    const again = await runConcurrently(50, (at) => approve(requests[at]!));
    expect(sortedStatuses(again)).toEqual([...Array(10).fill(200), ...Array(40).fill(409)]);
    const [sum] = await serving.sql`SELECT sum(days)::float8 AS days FROM leave_ledger WHERE leave_type_id = ${one}`;
    expect(sum).toEqual({ days: 0 });
    const { body } = await acme.owner.get(`/api/attendances?employee_id=${ids.ada}&status=on_leave`);
    expect(body.meta.total).toBe(10);
  });

  test('grant the remaining days to the earlier one, and block the later one', async () => {
    const { acme, request, approve, act, time } = office;
    const one = await acme.leaveType({
      name: 'One',
      code: 'one',
      days_per_year: '1',
      accrual: 'upfront',
      allow_negative_to: '1',
    });
    const requestDay = async (day: string) =>
      (await request({ leave_type_id: one, from: day, to: day })).body.data.id as string;
    const first = await requestDay('2026-06-02');
    time.goTo('2026-02-10T11:00:00Z');
    const later = await requestDay('2026-06-01');
    await serving.sql`UPDATE leave_types SET allow_negative_to = 0 WHERE id = ${one}`;
    expect(await approve(later)).toMatchObject(faultResponse(409, 'insufficient_balance', { short: '1' }));
    await act(first, { action: 'reject', remark: 'We need you' });
    expect(await approve(later)).toMatchObject({ status: 200 });
  });

  test('create one request if 50 are identical', async () => {
    const { request, list } = office;
    const replies = await runConcurrently(50, () => request());
    expect(sortedStatuses(replies)).toEqual([201, ...Array(49).fill(409)]);
    expect(await list()).toHaveLength(1);
  });
});
