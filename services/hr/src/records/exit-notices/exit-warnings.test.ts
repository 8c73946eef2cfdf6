import { describe, expect, test } from '@jest/globals';
import { openPaymentDay } from '../../../test/payments.ts';

const { acme, clock, hire } = await openPaymentDay();

/** Hires an employee with an open loan of 900.00 EUR, and a recovery of 900.00 EUR. */
async function debtor(name: string): Promise<string> {
  clock.goTo('2026-06-30T12:00:00Z');
  const employee_id = await hire(name, '1000.00');
  const createLoan = async (more: object) => {
    const loan = { employee_id, amount: '900.00', instalment: '100.00', first_period: '2026-07-01', ...more };
    return (await acme.approver.post('/api/employee-loan/create', loan)).body.data.id;
  };
  await createLoan({});
  const cancelled = await acme.approver.post(`/api/employee-loan/cancel/${await createLoan({})}`, { rest: 'recover' });
  expect(cancelled.status).toBe(200);
  return employee_id;
}

const expectedWarnings = (employee_id: string) => [
  { code: 'loan_open', employee_id, amount: '900.00', currency: 'EUR' },
  { code: 'recovery_open', employee_id, amount: '900.00', currency: 'EUR' },
];

describe.each([
  ['resignation', { last_day: '2026-12-31', notice_date: '2026-06-30', waive_notice: true, reason: 'Moves away' }],
  ['termination', { date: '2026-12-31', type: 'redundancy', waive_notice: true, reason: 'Moves away' }],
])('a %s', (noun, body) => {
  test('warns about open loans and recoveries until the employment continues', async () => {
    const employee_id = await debtor('Ada');
    const created = await acme.approver.post(`/api/${noun}/create`, { employee_id, ...body });
    expect(created).toMatchObject({ status: 201, body: { data: { warnings: expectedWarnings(employee_id) } } });
    const { id } = created.body.data;
    const updated = await acme.approver.post(`/api/${noun}/update/${id}`, { reason: 'New job' });
    expect(updated).toMatchObject({ status: 200, body: { data: { warnings: expectedWarnings(employee_id) } } });
    const decide = (action: string) => acme.approver.post(`/api/${noun}/update-status/${id}`, { action });
    expect((await decide('approve')).body.data).toMatchObject({
      status: 'approved',
      warnings: expectedWarnings(employee_id),
    });
    expect((await decide('withdraw')).body.data).toMatchObject({ status: 'withdrawn', warnings: [] });
  });

  test('has no warnings without debts, and none for a user without access to salaries', async () => {
    const free = await hire('Bob', '1000.00');
    expect(
      (await acme.approver.post(`/api/${noun}/create`, { employee_id: free, ...body })).body.data.warnings,
    ).toEqual([]);
    const employee_id = await debtor('Cleo');
    const can = acme.approver.caller.permissions.filter((permission) => permission !== 'employee.salary');
    const reply = await acme.member({ can }).post(`/api/${noun}/create`, { employee_id, ...body });
    expect(reply.status).toBe(201);
    expect(reply.body.data).not.toHaveProperty('warnings');
  });
});

test('warns about open loans and recoveries at the end of an employment', async () => {
  const employee_id = await debtor('Dora');
  const end = { exit_date: '2026-09-15', cause: 'resigned' };
  const reply = await acme.approver.post(`/api/employee/end-employment/${employee_id}`, end);
  expect(reply).toMatchObject({
    status: 200,
    body: { data: { status: 'on_notice', warnings: expectedWarnings(employee_id) } },
  });
});
