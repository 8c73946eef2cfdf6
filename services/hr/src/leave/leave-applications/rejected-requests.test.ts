import { beforeEach, describe, expect, test } from '@jest/globals';
import { type LeaveFixture, openLeaveOffice, faultResponse } from '../../../test/leave.ts';

const { office: openOffice } = await openLeaveOffice();
let office: LeaveFixture;
beforeEach(async () => {
  office = await openOffice();
});

describe('a leave request', () => {
  test.each<[string, object, string]>([
    ['to', { to: '2026-05-31' }, 'validation_failed'],
    ['to', { to: '2027-06-02' }, 'validation_failed'],
    ['from', { from: '2028-03-01', to: '2028-03-02' }, 'validation_failed'],
    ['half_day', { half_day: 'morning' }, 'validation_failed'],
    ['starts_midday', { to: '2026-06-01', starts_midday: true }, 'validation_failed'],
    ['ends_midday', { to: '2026-06-01', ends_midday: true }, 'validation_failed'],
    ['employee_id', { employee_id: '00000000-0000-4000-8000-000000000000' }, 'validation_failed'],
    ['override', { override: ['overlap'] }, 'validation_failed'],
  ])('is rejected for the field %s of %j', async (field, body, code) => {
    const { request } = office;
    const reply = await request(body);
    expect([reply.status, reply.body.code, Object.keys(reply.body.errors)[0]]).toEqual([422, code, field]);
  });

  test('is limited to the consecutive days allowed across several requests', async () => {
    const { acme, request } = office;
    const leave_type_id = await acme.leaveType({ name: 'Short', code: 'short', max_consecutive: 5 });
    const requestDays = (from: string, to = from) => request({ leave_type_id, from, to });
    expect(await requestDays('2026-06-01', '2026-06-05')).toMatchObject({ status: 201 });
    for (const [from, to, days] of [
      ['2026-06-08', '2026-06-08', '6'],
      ['2026-05-29', '2026-05-29', '6'],
      ['2026-06-08', '2026-06-12', '10'],
    ] as const)
      expect(await requestDays(from, to)).toMatchObject(
        faultResponse(409, 'too_many_days', { days, max_consecutive: 5 }),
      );
    expect(await requestDays('2026-06-09')).toMatchObject({ status: 201 });
    // The day between them would join both requests.
    expect(await requestDays('2026-06-08')).toMatchObject(faultResponse(409, 'too_many_days', { days: '7' }));
  });

  test('requires a document for consecutive days across several requests', async () => {
    const { acme, request } = office;
    const leave_type_id = await acme.leaveType({ name: 'Ill', code: 'ill', requires_document_after: 3 });
    const requestDays = (from: string, to = from) => request({ leave_type_id, from, to });
    expect(await requestDays('2026-06-02', '2026-06-04')).toMatchObject({ status: 201 });
    for (const [from, to] of [
      ['2026-06-05', '2026-06-05'],
      ['2026-06-01', '2026-06-01'],
    ] as const)
      expect(await requestDays(from, to)).toMatchObject(
        faultResponse(409, 'document_missing', { requires_document_after: 3 }),
      );
    expect(await requestDays('2026-06-08', '2026-06-10')).toMatchObject({ status: 201 });
    // The day between them would join both requests.
    expect(await requestDays('2026-06-05')).toMatchObject({ status: 409, body: { code: 'document_missing' } });
  });

  test('is rejected for half of several days, a weekend, or a type for other employees', async () => {
    const { acme, request } = office;
    expect(await request({ half_day: 'first' })).toMatchObject(faultResponse(422, 'half_day_needs_one_day'));
    expect(await request({ from: '2026-06-06', to: '2026-06-07' })).toMatchObject(faultResponse(422, 'no_working_day'));
    let serial = 0;
    const requestOtherType = async (policy: object, body: object = {}) => {
      serial += 1;
      const leave_type_id = await acme.leaveType({ name: `Other ${serial}`, code: `other_${serial}`, ...policy });
      return await request({ leave_type_id, ...body });
    };
    for (const [policy, body, field] of [
      [{ active: false }, {}, 'leave_type_id'],
      [{ gender: 'female' }, {}, 'leave_type_id'],
      [{ employment_types: ['intern'] }, {}, 'leave_type_id'],
      [{ allow_half_day: false }, { to: '2026-06-01', half_day: 'first' }, 'half_day'],
      [{ requires_reason: true }, {}, 'reason'],
    ] as const) {
      const reply = await requestOtherType(policy, body);
      expect([reply.status, Object.keys(reply.body.errors ?? {})[0]]).toEqual([422, field]);
    }
    expect(await request({ leave_type_id: '00000000-0000-4000-8000-000000000000' })).toMatchObject({
      status: 422,
      body: { errors: { leave_type_id: [expect.any(String)] } },
    });
  });

  test('is rejected for employees who are unknown or outside the record scope', async () => {
    const { acme, manager, create } = office;
    expect(await create({ employee_id: '00000000-0000-4000-8000-000000000000' })).toMatchObject({
      status: 422,
      body: { errors: { employee_id: [expect.any(String)] } },
    });
    const team = acme.member({
      can: ['leave.create', 'leave.view', 'employee.view'],
      record_scopes: { leave: 'team' },
      user_id: manager.caller.user_id,
    });
    const outsider = await acme.employ({ name: 'Stranger' });
    expect(await create({}, team)).toMatchObject({ status: 201 });
    expect(await create({ employee_id: outsider }, team)).toMatchObject({
      status: 422,
      body: { errors: { employee_id: [expect.any(String)] } },
    });
  });
});

describe('leave', () => {
  test('is rejected on days that already have leave, unless each leave is half a day', async () => {
    const { request } = office;
    const half = { from: '2026-06-02', to: '2026-06-02' };
    const { id } = (await request({ ...half, half_day: 'first' })).body.data;
    expect(await request()).toMatchObject(faultResponse(409, 'overlap', { leave_application_id: id }));
    expect(await request({ ...half, half_day: 'second' })).toMatchObject({ status: 201 });
    expect(await request({ ...half, half_day: 'second' })).toMatchObject(faultResponse(409, 'overlap'));
  });

  test('is rejected before and after an employment', async () => {
    const { acme, ids, create } = office;
    expect(await create({ from: '2025-12-30', to: '2026-01-02' })).toMatchObject(
      faultResponse(409, 'not_employed', { day: '2025-12-30' }),
    );
    await acme.owner.post(`/api/employee/end-employment/${ids.ada}`, { exit_date: '2026-06-02', cause: 'resigned' });
    expect(await create()).toMatchObject(faultResponse(409, 'not_employed', { day: '2026-06-03' }));
  });

  test('is rejected by the policy of its type, unless the approver overrides the rule', async () => {
    const { acme, create, approve } = office;
    const strict = await acme.leaveType({
      name: 'Strict',
      code: 'strict',
      accrual: 'upfront',
      min_notice_days: 30,
      max_consecutive: 2,
      applicable_after_days: 150,
      requires_document_after: 1,
    });
    const requestDays = (override?: string[]) =>
      create({ leave_type_id: strict, from: '2026-02-23', to: '2026-02-25', ...(override && { override }) });
    expect(await requestDays()).toMatchObject(
      faultResponse(409, 'notice_too_short', { notice_days: 13, min_notice_days: 30 }),
    );
    const aside = ['notice_too_short'];
    expect(await requestDays(aside)).toMatchObject(
      faultResponse(409, 'too_many_days', { days: '3', max_consecutive: 2 }),
    );
    aside.push('too_many_days');
    expect(await requestDays(aside)).toMatchObject(faultResponse(409, 'not_yet_eligible', { served_days: 53 }));
    aside.push('not_yet_eligible');
    expect(await requestDays(aside)).toMatchObject(faultResponse(409, 'document_missing'));
    aside.push('document_missing');
    const { status, body } = await requestDays(aside);
    expect([status, body.data]).toMatchObject([201, { warnings: ['document_due'], overrides: aside }]);
    // An override of the request also applies to its approval.
    expect(await approve(body.data.id)).toMatchObject({ status: 200 });
  });

  test('is rejected on days of final payslips, unless payroll overrides it', async () => {
    const { acme, ids, create, act, approve } = office;
    const { id } = (await create({ from: '2026-02-09', to: '2026-02-11' })).body.data;
    await acme.write(async (db) => {
      const [from, to] = [new Date('2026-02-01'), new Date('2026-02-28')];
      const run = await db.payroll.create({
        data: { title: 'February', period_start: from, period_end: to, pay_date: to, currency: 'EUR' },
      });
      await db.payrollEntry.create({
        data: {
          payroll_id: run.id,
          employee_id: ids.ada,
          regular: true,
          period_start: from,
          period_end: to,
          status: 'finalised',
        },
      });
    });
    expect(await approve(id)).toMatchObject(faultResponse(409, 'payroll_closed', { day: '2026-02-09' }));
    const override = ['payroll_closed'];
    const hrUser = acme.member({ can: ['leave.decide'] });
    expect(await act(id, { action: 'approve', override }, hrUser)).toMatchObject(
      faultResponse(403, 'forbidden', { permission: 'payroll.run' }),
    );
    const payroll = acme.member({ can: ['leave.decide', 'payroll.run'] });
    expect(await act(id, { action: 'approve', override }, payroll)).toMatchObject({ status: 200 });
    // Paid leave is released without an override. Unpaid days are on the payslip.
    expect(await act(id, { action: 'cancel' })).toMatchObject({ status: 200 });
  });

  // Planning ahead (docs/worked-examples.md).
  test('is rejected if 2 days in April leave a later request 1 day short', async () => {
    const { acme, request } = office;
    const monthly = await acme.leaveType({ name: 'Monthly', code: 'monthly', days_per_year: '24' });
    const requestDays = (from: string, to: string) => request({ leave_type_id: monthly, from, to });
    expect(await requestDays('2026-08-03', '2026-08-14')).toMatchObject({
      status: 201,
      body: { data: { days: '10' } },
    });
    expect(await requestDays('2026-03-09', '2026-03-13')).toMatchObject({ status: 201, body: { data: { days: '5' } } });
    expect(await requestDays('2026-04-15', '2026-04-16')).toMatchObject(
      faultResponse(409, 'insufficient_balance', { asked: '2', short: '1', first_short_on: '2026-08-14' }),
    );
    expect(await requestDays('2026-04-15', '2026-04-15')).toMatchObject({ status: 201 });
  });

  test('is accepted without limit if it is unpaid', async () => {
    const { acme, request, approve } = office;
    const unpaid = await acme.leaveType({ name: 'Unpaid', code: 'unpaid_too', days_per_year: '0', paid: false });
    const { status, body } = await request({ leave_type_id: unpaid, to: '2026-06-30' });
    expect([status, body.data.paid]).toEqual([201, false]);
    expect(await approve(body.data.id)).toMatchObject({ status: 200 });
  });

  test('is rejected beyond the balance, and accepted when requested again correctly', async () => {
    const { request } = office;
    expect(await request({ to: '2026-08-31' })).toMatchObject(faultResponse(409, 'insufficient_balance'));
    expect(await request()).toMatchObject({ status: 201 });
  });
});
