import { beforeEach, describe, expect, test } from '@jest/globals';
import { statuses, together } from '@suite/testing';
import { type LeaveOffice, openLeaveOffice } from '../../test/leave.ts';

const { serving, office: openOffice } = await openLeaveOffice();
let office: LeaveOffice;
beforeEach(async () => {
  office = await openOffice();
});

describe('at once', () => {
  test('fifty who approve requests that together exceed the balance grant exactly what is there', async () => {
    const { acme, request, act, approve } = office;
    const one = await acme.leaveType({ name: 'Few', code: 'few', days_per_year: '10', accrual: 'upfront' });
    const days = Array.from({ length: 50 }, (_, at) => new Date(Date.UTC(2026, 5, 1 + at)).toISOString().slice(0, 10));
    const working = days.filter((day) => ![0, 6].includes(new Date(day).getUTCDay()));
    const replies = await together(working.length, (at) =>
      request({ leave_type_id: one, from: working[at], to: working[at] }),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    // Days that were held are given to others by hand, so that each request is good alone.
    await serving.sql`UPDATE leave_types SET allow_negative_to = 100 WHERE id = ${one}`;
    const more = await together(working.length, (at) =>
      request({ leave_type_id: one, from: working[at], to: working[at] }),
    );
    const pending = [...replies, ...more].filter(({ status }) => status === 201).map(({ body }) => body.data.id);
    expect(pending).toHaveLength(working.length);
    await serving.sql`UPDATE leave_types SET allow_negative_to = 0 WHERE id = ${one}`;
    const decided = await together(pending.length, (at) => approve(pending[at]));
    expect(new Set(decided.map(({ status, body }) => `${status} ${body.code ?? ''}`))).toEqual(
      new Set(['409 insufficient_balance']),
    );
    for (const id of pending.slice(10)) await act(id, { action: 'reject', remark: 'Too many' });
    const granted = await together(50, (at) => approve(pending[at % 10]));
    expect(statuses(granted)).toEqual(Array(50).fill(200));
    const [sum] = await serving.sql`SELECT sum(days)::float8 AS days FROM leave_ledger WHERE leave_type_id = ${one}`;
    expect(sum).toEqual({ days: 0 });
  });

  test('fifty same requests are one', async () => {
    const { request, list } = office;
    const replies = await together(50, () => request());
    expect(statuses(replies)).toEqual([201, ...Array(49).fill(409)]);
    expect(await list()).toHaveLength(1);
  });
});
