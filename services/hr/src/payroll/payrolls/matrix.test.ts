import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { CallerOptions } from '@suite/testing';
import { openPayroll } from '../../../test/payroll.ts';

const { payroll, serving } = await openPayroll();

/** Creates a workspace with a run of three employees with final payslips, and a draft for the next month. */
async function paidCompany() {
  const acme = await payroll();
  const users: Record<string, string> = {};
  const people: Record<string, string> = {};
  for (const [name, amount, manager] of [
    ['boss', '7000.00'],
    ['ada', '3000.00', 'boss'],
    ['bob', '3100.00', 'boss'],
  ] as const) {
    people[name] = await acme.hire({
      name,
      salary: { basis: 'monthly', amount },
      ...(manager && { manager_id: people[manager] }),
    });
    users[name] = randomUUID();
    await serving.sql`INSERT INTO users (id, workspace_id, name, kind) VALUES (${users[name]}, ${acme.workspace}, ${name}, 'staff')`;
    await serving.sql`UPDATE employees SET user_id = ${users[name]} WHERE id = ${people[name]}`;
  }
  const june = await acme.run(await acme.draft());
  await acme.finalise(june.id);
  const span = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
  const july = await acme.run(await acme.draft(span));
  const entryOf = (run: typeof june, name: string): string =>
    run.entries.find((one: { employee_id: string }) => one.employee_id === people[name]).id;
  return { acme, users, people, june, july, entryOf };
}

const { acme, users, people, june, july, entryOf } = await paidCompany();
const memberWith = (name: string, rights: CallerOptions = {}) =>
  acme.member({ ...(users[name] && { user_id: users[name] }), name, ...rights });
const RUN_PERMISSIONS = ['payroll.view', 'payroll.run', 'employee.salary', 'employee.view'];
const PAYROLL = [...RUN_PERMISSIONS, 'employee.bank'];
const ACCOUNTANT = ['payroll.view'];

describe('a payslip', () => {
  test.each<[string, string, CallerOptions, 'ada' | 'bob', number, number]>([
    ['the employee, once it is final', 'ada', { can: [] }, 'ada', 200, 404],
    ['no colleague', 'bob', { can: [] }, 'ada', 404, 404],
    ['no line manager', 'boss', { can: [] }, 'ada', 404, 404],
    ['no manager by role', 'stranger', { can: ['employee.view', 'attendance.view'] }, 'ada', 404, 404],
    ['hr', 'stranger', { can: RUN_PERMISSIONS }, 'ada', 200, 200],
    ['payroll', 'stranger', { can: PAYROLL }, 'ada', 200, 200],
    ['no accountant', 'stranger', { can: ACCOUNTANT }, 'ada', 404, 404],
    [
      'no caller with salary access but without payroll access',
      'stranger',
      { can: ['employee.salary'] },
      'ada',
      404,
      404,
    ],
    ['the owner', 'stranger', { kind: 'owner' }, 'ada', 200, 200],
    ['no client', 'ada', { kind: 'client', can: [] }, 'ada', 404, 404],
  ])('is visible to %s', async (_, name, rights, of, final, draft) => {
    const member = memberWith(name, rights);
    const [shown, drafted] = [
      await member.get(`/api/payslip/${entryOf(june, of)}`),
      await member.get(`/api/payslip/${entryOf(july, of)}`),
    ];
    expect([shown.status, drafted.status]).toEqual([final, draft]);
    expect(JSON.stringify([shown.body, drafted.body]).includes('3000.00')).toBe(final === 200);
  });

  test('is logged as accessed when shown to others, but not to its own employee', async () => {
    const accesses = async () =>
      (await serving.sql`SELECT by, fields FROM sensitive_accesses WHERE employee_id = ${people['bob']!}`).length;
    const before = await accesses();
    await memberWith('bob', { can: [] }).get(`/api/payslip/${entryOf(june, 'bob')}`);
    expect(await accesses()).toBe(before);
    await memberWith('stranger', { can: RUN_PERMISSIONS }).get(`/api/payslip/${entryOf(june, 'bob')}`);
    expect(await accesses()).toBe(before + 1);
    await memberWith('stranger', { can: RUN_PERMISSIONS }).get(`/api/payrolls/${june.id}`);
    expect(await accesses()).toBe(before + 2);
    await memberWith('stranger', { can: ACCOUNTANT }).get(`/api/payroll/entries/${june.id}`);
    expect(await accesses()).toBe(before + 2);
    await memberWith('stranger', { can: RUN_PERMISSIONS }).get(`/api/payroll/entries/${june.id}`);
    expect(await accesses()).toBe(before + 3);
  });

  test('shows the masked bank account and the calculation details', async () => {
    const { body } = await memberWith('ada', { can: [] }).get(`/api/payslip/${entryOf(june, 'ada')}`);
    expect(body.data).toMatchObject({ net: '3000.00', bank: null, ytd: { gross: '3000.00' } });
    expect(body.data.explain.map(({ component }: { component: string }) => component)).toContain('net');
  });
});

describe('own payslips', () => {
  test('are listed only after they are final', async () => {
    const { body } = await memberWith('ada', { can: [] }).get('/api/hrm/payslips');
    expect(body.data).toMatchObject([{ id: entryOf(june, 'ada'), net: '3000.00', status: 'finalised' }]);
    expect(body.meta.total).toBe(1);
  });

  test('are available to employees only', async () => {
    expect(await memberWith('stranger', { can: PAYROLL }).get('/api/hrm/payslips')).toMatchObject({
      status: 403,
      body: { code: 'not_an_employee' },
    });
    expect(await memberWith('ada', { can: [] }).get(`/api/hrm/payslips?employee_id=${people['bob']}`)).toMatchObject({
      status: 422,
    });
  });
});

describe('a run', () => {
  test('shows totals and journal to accountants, without amounts or names of employees', async () => {
    const { body } = await memberWith('stranger', { can: ACCOUNTANT }).get(`/api/payrolls/${june.id}`);
    expect(body.data).toMatchObject({ gross: '13100.00', net: '13100.00', totals: [{ component: 'basic' }] });
    expect(body.data.journal_preview).toHaveLength(2);
    for (const field of ['differences', 'one_offs']) expect(body.data).not.toHaveProperty(field);
    expect(Object.keys(body.data.entries[0])).not.toEqual(expect.arrayContaining(['net']));
    // IDs and hashes may contain a name by chance.
    const text = JSON.stringify(body).replaceAll(/[0-9a-f-]{32,}/g, '');
    for (const secret of ['3000.00', '7000.00', 'ada']) expect(text).not.toContain(secret);
  });

  test('hides its totals from the accountant if it has one or two employees', async () => {
    const small = await payroll();
    await small.hire();
    const run = await small.run(await small.draft());
    const accountant = small.member({ can: ACCOUNTANT });
    for (const path of [`/api/payrolls/${run.id}`, '/api/payrolls']) {
      const { body } = await accountant.get(path);
      const shown = Array.isArray(body.data) ? body.data[0] : body.data;
      for (const field of ['gross', 'net', 'deductions', 'employer_cost', 'totals', 'journal_preview'])
        expect(shown).not.toHaveProperty(field);
    }
    expect((await small.owner.get(`/api/payrolls/${run.id}`)).body.data.net).toBe('3000.00');
  });

  test('requires access to payroll', async () => {
    for (const path of ['/api/payrolls', `/api/payrolls/${june.id}`, `/api/payroll/entries/${june.id}`])
      expect(await memberWith('boss', { can: ['employee.salary'] }).get(path)).toMatchObject({ status: 403 });
    expect(await memberWith('boss', { can: ACCOUNTANT }).post(`/api/payroll/run/${july.id}`, {})).toMatchObject({
      status: 403,
    });
  });
});

describe('a caller with a record scope for payroll', () => {
  const can = [...PAYROLL, 'payroll.approve', 'payroll.pay', 'salary_component.view'];
  const paymentFile = { bank_account_id: randomUUID(), format: 'csv' };
  const responsesFor = async (member: ReturnType<typeof memberWith>) => [
    await member.get('/api/payrolls'),
    await member.get(`/api/payrolls/${june.id}`),
    await member.get(`/api/payrolls/${july.id}`),
    await member.get(`/api/payroll/entries/${june.id}`),
    await member.post(`/api/payroll/run/${july.id}?dry_run=true`, {}),
    await member.post(`/api/payroll/approve/${july.id}?dry_run=true`, {}),
  ];
  const textOf = (replies: readonly { body: object }[]) => JSON.stringify(replies.map(({ body }) => body));

  test.each(['own', 'team'])('sees neither sums of a run nor pay of other employees: %s', async (scope) => {
    const member = memberWith('ada', { can, record_scopes: { payroll: scope as 'own' } });
    const replies = await responsesFor(member);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const text = textOf(replies);
    expect(text).toContain('3000.00');
    for (const secret of ['7000.00', '3100.00', '13100.00', people['bob'], people['boss']])
      expect(text).not.toContain(secret);
    expect(await member.post(`/api/payroll/payment-file/${june.id}`, paymentFile)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', details: { noun: 'payroll', record_scope: 'all' } },
    });
  });

  test('sees one-off payments of employees in scope only', async () => {
    const company = await payroll();
    const [mine, other] = [await company.hire({ name: 'Mine' }), await company.hire({ name: 'Other' })];
    const user_id = randomUUID();
    await serving.sql`INSERT INTO users (id, workspace_id, name, kind) VALUES (${user_id}, ${company.workspace}, 'Mine', 'staff')`;
    await serving.sql`UPDATE employees SET user_id = ${user_id} WHERE id = ${mine}`;
    const { bonus } = await company.components([{ code: 'bonus', kind: 'earning', calc: 'fixed', amount: '1.00' }]);
    const one_offs = [mine, other].map((employee_id) => ({ employee_id, component_id: bonus!, amount: '77.00' }));
    const run = await company.run(await company.draft({ one_offs }));
    const member = company.member({ user_id, can, record_scopes: { payroll: 'own' } });
    const { data } = (await member.get(`/api/payrolls/${run.id}`)).body;
    expect(data).toMatchObject({ one_offs: [{ employee_id: mine }], warnings: [] });
    expect(run.scope).toEqual({ branch_id: null, department_id: null });
    expect(JSON.stringify(data)).not.toContain(other);
  });
});

test('sums the payslips in a run, with the days that SQL counts', async () => {
  const company = await payroll();
  await company.holiday('2026-06-04');
  for (const [at, amount] of ['3000.00', '2500.50', '4100.33'].entries()) {
    const id = await company.hire({ salary: { basis: 'monthly', amount }, joining_date: `2026-06-0${at + 1}` });
    await company.leave(id, '2026-06-10', { paid: false });
    await company.attend(id, '2026-06-11', { status: at === 1 ? 'absent' : 'half_day' });
    await company.attend(id, '2026-06-12', { status: 'present' });
  }
  const run = await company.run(await company.draft());
  const payslips = await Promise.all(
    run.entries.map(async ({ id }: { id: string }) => (await company.owner.get(`/api/payslip/${id}`)).body.data),
  );
  const cents = (text: string) => Math.round(Number(text) * 100);
  for (const [field, of] of [
    ['gross', 'gross'],
    ['deductions', 'total_deductions'],
    ['net', 'net'],
  ] as const)
    expect(cents(run[field])).toBe(payslips.reduce((all, payslip) => all + cents(payslip[of]), 0));
  const counted = await serving.sql<{ employee_id: string; days: string }>`
    SELECT person.id AS employee_id, trim_scale(sum(1 - CASE WHEN day.status IN ('on_leave', 'absent') THEN 1
      WHEN day.status = 'half_day' THEN 0.5 ELSE 0 END))::text AS days
    FROM employees AS person CROSS JOIN generate_series('2026-06-01'::date, '2026-06-30', '1 day') AS calendar (date)
      LEFT JOIN attendances AS day ON day.employee_id = person.id AND day.local_date = calendar.date
    WHERE person.workspace_id = ${company.workspace} AND extract(isodow FROM calendar.date) < 6 AND calendar.date >= person.joining_date
      AND NOT EXISTS (SELECT FROM holidays WHERE holidays.workspace_id = person.workspace_id AND calendar.date BETWEEN "from" AND "to")
    GROUP BY person.id`;
  const days = Object.fromEntries(counted.map(({ employee_id, days: of }) => [employee_id, of]));
  expect(Object.fromEntries(payslips.map((payslip) => [payslip.employee_id, payslip.payment_days]))).toEqual(days);
});
