import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { runConcurrently } from '@suite/testing';
import { openPeople } from '../../../test/people.ts';

const { serving, platform, acme, terms, ada, create, employed, update, show } = await openPeople();

const faultResponse = (status: number, code: string, details?: object) => ({
  status,
  body: { code, ...(details && { details }) },
});
const IBAN = 'DE89 3704 0044 0532 0130 00';
const sensitive = {
  salary: { basis: 'monthly', amount: '4250.00' },
  bank: { bank_name: 'Bank', account_number: IBAN },
  national_id: '12-345 X',
  tax_id: 'T 987 654',
};

describe('creating an employee', () => {
  test('assigns a code, the default shift and the terms of the joining date', async () => {
    const created = await create({});
    expect(created).toMatchObject({
      status: 201,
      body: { data: { code: 'EMP-00001', status: 'active', user_id: null } },
    });
    const { id, shift_id } = created.body.data;
    expect(shift_id).toBeTruthy();
    expect(await show(id)).toMatchObject({
      employments: [{ joining_date: '2026-01-01', exit_date: null }],
      scheduled_changes: [],
      salary: null,
      branch: { name: 'Main' },
      manager: null,
      user: null,
    });
  });

  test('returns sensitive fields to callers with the permission, and logs the access', async () => {
    const { salary, bank, national_id, tax_id, id } = await employed(sensitive);
    expect(salary).toMatchObject(sensitive.salary);
    expect(bank).toMatchObject({ bank_name: 'Bank', account_number: { last_4: '3000' } });
    expect([national_id, tax_id]).toEqual([{ last_4: '45 X' }, { last_4: ' 654' }]);
    const changed = await update(id, { salary: { basis: 'monthly', amount: '4500.00' }, effective_from: '2026-06-01' });
    expect(changed.body.data.salary).toMatchObject({ amount: '4500.00' });
    const log = (await acme.owner.get('/api/sensitive-accesses')).body.data;
    expect(log).toMatchObject([
      { employee_id: id, fields: ['salary'] },
      { employee_id: id, fields: ['salary'] },
    ]);
    const hrUser = acme.member({ can: ['employee.update', 'employee.view'] });
    const seen = (await update(id, { phone: '+49 40 1' }, hrUser)).body.data;
    for (const name of ['salary', 'bank', 'national_id', 'tax_id']) expect(seen).not.toHaveProperty(name);
  });

  test('omits encrypted values in replayed responses and dry runs', async () => {
    const body = { ...ada(), ...sensitive };
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'hire' };
    const send = () => acme.owner.send('POST', '/api/employee/create', JSON.stringify(body), headers);
    const replies = [await send(), await send()];
    expect(replies.map(({ body: { data } }) => data.salary?.amount)).toEqual(['4250.00', undefined]);
    const stored = await serving.sql`SELECT body FROM idempotency_keys WHERE workspace_id = ${acme.workspace}`;
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain('4250');
    const trial = await acme.owner.post('/api/employee/create?dry_run=true', { ...ada(), salary: sensitive.salary });
    expect([trial.status, trial.body.data.salary]).toEqual([201, undefined]);
  });

  test('skips a manually entered code in the number series and rejects its reuse', async () => {
    await employed({ code: 'EMP-00001' });
    expect(await employed()).toMatchObject({ code: 'EMP-00002' });
    expect(await create({ code: 'EMP-00002' })).toMatchObject(faultResponse(409, 'code_taken', { field: 'code' }));
    const created = await runConcurrently(50, () => create({}));
    expect(new Set(created.map(({ body }) => body.data.code)).size).toBe(50);
  });

  test('sets the status onboarding until the joining date', async () => {
    expect(await employed({ joining_date: '2026-06-16' })).toMatchObject({ status: 'onboarding' });
  });

  test.each([
    [{ joining_date: '1949-12-31' }, 'joining_out_of_range'],
    [{ joining_date: '2028-06-16' }, 'joining_out_of_range'],
    [{ probation_end: '2025-12-31' }, 'probation_before_joining'],
    [{ bank: { bank_name: 'Bank', account_number: 'DE88 3704 0044 0532 0130 00' } }, 'iban_invalid'],
  ])('rejects invalid dates and accounts: %p', async (wrong, code) => {
    expect(await create(wrong)).toMatchObject(faultResponse(422, code));
  });

  test('requires an existing, active and matching branch, department and designation', async () => {
    const other = (await acme.owner.get('/api/designations')).body.data.find(
      (one: { department_id: string }) => one.department_id !== terms.department_id,
    );
    expect(await create({ designation_id: other.id })).toMatchObject(
      faultResponse(422, 'designation_of_other_department'),
    );
    expect(await create({ manager_id: randomUUID() })).toMatchObject({
      status: 422,
      body: { errors: { manager_id: [expect.any(String)] } },
    });
    await acme.owner.post(`/api/branch/update/${terms.branch_id}`, { active: false });
    expect(await create({})).toMatchObject({ status: 422, body: { errors: { branch_id: [expect.any(String)] } } });
  });

  test('stores nothing in a dry run', async () => {
    const reply = await acme.owner.post('/api/employee/create?dry_run=true', ada());
    expect(reply).toMatchObject({ status: 201, body: { data: { code: 'EMP-00001' } } });
    expect((await acme.owner.get('/api/employees')).body.meta.total).toBe(0);
  });
});

describe('sensitive employee data', () => {
  test('is encrypted and masked, and reveals are restricted and logged', async () => {
    const { id, ...answer } = await employed(sensitive);
    expect(answer).toMatchObject({ salary: { amount: '4250.00' }, bank: { account_number: { last_4: '3000' } } });
    const usual = await show(id);
    expect(usual).toMatchObject({
      salary: { basis: 'monthly', amount: '4250.00', currency: 'EUR', weekly_hours: '40' },
      bank: { bank_name: 'Bank', account_number: { last_4: '3000' } },
      national_id: { last_4: '45 X' },
      tax_id: { last_4: ' 654' },
    });
    expect(JSON.stringify(usual)).not.toContain('37040044');
    expect((await show(id, '?reveal=bank,identity')).bank.account_number).toEqual({
      last_4: '3000',
      value: 'DE89370400440532013000',
    });
    const accesses = await serving.sql`SELECT "by", employee_id, fields FROM sensitive_accesses
      WHERE workspace_id = ${acme.workspace} ORDER BY at, id`;
    const by = { by: acme.owner.caller.user_id, employee_id: id };
    expect(accesses).toEqual([
      { ...by, fields: ['salary'] },
      { ...by, fields: ['salary'] },
      { ...by, fields: ['salary', 'bank', 'national_id', 'tax_id'] },
    ]);
  });

  test('does not appear in plain text in events, audit records or tables', async () => {
    const { id } = await employed(sensitive);
    await update(id, { national_id: '99-345 X', salary: { basis: 'monthly', amount: '4400.00' } });
    for (const table of ['journal', 'employees', 'employee_history', 'idempotency_keys']) {
      const { rows } = await serving.database.pool.query<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM ${table} AS t`,
      );
      for (const secret of ['4250.00', '4400.00', '370400440532', '12-345 X', '99-345 X', 'T 987 654'])
        expect([table, rows.filter(({ row }) => row.includes(secret))]).toEqual([table, []]);
    }
  });

  test('is hidden, read-only and not a filter or sort field without the permission', async () => {
    const { id } = await employed({ ...sensitive, dob: '1990-05-17', address: 'Here 1' });
    const hrUser = acme.member({ can: ['employee.view', 'employee.update', 'employee.create'] });
    const seen = await show(id, '', hrUser);
    for (const field of ['salary', 'bank', 'national_id', 'tax_id', 'dob', 'address', 'private_phone'])
      expect([field, field in seen]).toEqual([field, false]);
    expect(seen).toMatchObject({ birthday: '05-17' });
    for (const [field, permission] of Object.entries({
      salary: 'employee.salary',
      bank: 'employee.bank',
      tax_id: 'employee.identity',
    }))
      expect(await update(id, { [field]: sensitive[field as keyof typeof sensitive] }, hrUser)).toMatchObject(
        faultResponse(403, 'forbidden', { permission }),
      );
    expect(await hrUser.get(`/api/employee/show/${id}?reveal=bank`)).toMatchObject(
      faultResponse(403, 'forbidden', { permission: 'employee.bank' }),
    );
    for (const query of ['salary=1', 'sort=salary', 'dob=1990-05-17', 'sort=dob'])
      expect(await hrUser.get(`/api/employees?${query}`)).toMatchObject({ status: 422 });
    const [listed] = (await hrUser.get('/api/employees?expand=salary,bank,tax_id')).body.data;
    expect(Object.keys(listed)).not.toContain('salary');
  });

  test('is listed on request, with at most 20 revealed values at a time', async () => {
    await employed(sensitive);
    const [usual] = (await acme.owner.get('/api/employees')).body.data;
    expect(Object.keys(usual)).not.toContain('salary');
    const [listed] = (await acme.owner.get('/api/employees?expand=salary&reveal=bank')).body.data;
    expect(listed).toMatchObject({
      salary: { amount: '4250.00' },
      bank: { account_number: { value: expect.any(String) } },
    });
    expect(await acme.owner.get('/api/employees?reveal=bank&per_page=21')).toMatchObject({ status: 422 });
    expect(await acme.owner.get('/api/employees?reveal=salary')).toMatchObject({ status: 422 });
  });

  test('has unique official numbers among employees, regardless of notation', async () => {
    await employed(sensitive);
    expect(await create({ tax_id: 't987654' })).toMatchObject(
      faultResponse(409, 'identity_taken', { field: 'tax_id' }),
    );
    expect(await create({ national_id: '12345x' })).toMatchObject(faultResponse(409, 'identity_taken'));
  });
});

describe('a term', () => {
  test('changes from a given day, and is shown as of any day', async () => {
    const { id, branch_id } = await employed({ salary: sensitive.salary });
    const { id: harbour } = (await acme.owner.post('/api/branch/create', { name: 'Harbour' })).body.data;
    const changed = await update(id, { branch_id: harbour, effective_from: '2026-09-01' });
    expect(changed.body.data).toMatchObject({
      branch_id,
      scheduled_changes: [{ field: 'branch_id', value: harbour, effective_from: '2026-09-01', cause: 'manual' }],
    });
    await update(id, { salary: { basis: 'monthly', amount: '4400' }, effective_from: '2026-05-01' });
    expect(await show(id)).toMatchObject({ branch_id, salary: { amount: '4400.00' } });
    expect(await show(id, '?as_of=2026-04-30')).toMatchObject({ branch_id, salary: { amount: '4250.00' } });
    expect(await show(id, '?as_of=2026-09-01')).toMatchObject({ branch_id: harbour });
    const count = async (query: string) => (await acme.owner.get(`/api/employees?${query}`)).body.meta.total;
    expect(await count(`branch_id=${harbour}`)).toBe(0);
    expect(await count(`branch_id=${harbour}&as_of=2026-09-01`)).toBe(1);
    expect(await count('as_of=2025-12-31')).toBe(0);
    expect((await acme.owner.get(`/api/employee/show/${id}?as_of=2025-12-31`)).status).toBe(404);
  });

  test('has the latest value entered for a day, and overwrites no row', async () => {
    const { id } = await employed();
    for (const employment_type of ['part', 'contract'])
      await update(id, { employment_type, effective_from: '2026-03-01' });
    expect(await show(id)).toMatchObject({ employment_type: 'contract' });
    const rows = await serving.sql`SELECT value, seq FROM employee_history
      WHERE employee_id = ${id} AND field = 'employment_type' ORDER BY effective_from, seq`;
    expect(rows).toEqual([
      { value: 'full', seq: 1 },
      { value: 'part', seq: 1 },
      { value: 'contract', seq: 2 },
    ]);
  });

  test('changes only within the employment and at most a year ahead', async () => {
    const { id } = await employed();
    for (const effective_from of ['2025-12-31', '2027-06-16'])
      expect(await update(id, { employment_type: 'part', effective_from })).toMatchObject({
        status: 422,
        body: { errors: { effective_from: [expect.any(String)] } },
      });
    expect(await update(id, { name: 'Eve', effective_from: '2026-07-01' })).toMatchObject({ status: 422 });
    await acme.owner.post(`/api/employee/end-employment/${id}`, { exit_date: '2026-08-31', cause: 'resigned' });
    expect(await update(id, { employment_type: 'part', effective_from: '2026-08-31' })).toMatchObject({ status: 200 });
    expect(await update(id, { employment_type: 'full', effective_from: '2026-09-01' })).toMatchObject({
      status: 422,
      body: { errors: { effective_from: [expect.stringContaining('last day')] } },
    });
  });

  test('cannot be changed with an outdated version or by the employee', async () => {
    const { id, version } = await employed();
    await update(id, { name: 'Eve' });
    expect(await update(id, { name: 'Mallory', version })).toMatchObject(faultResponse(412, 'stale'));
    const user_id = platform.hire(acme.workspace);
    await update(id, { user: { user_id } });
    expect(await update(id, { name: 'Me' }, acme.member({ user_id }))).toMatchObject(faultResponse(409, 'own_record'));
    expect((await show(id, '', acme.member({ user_id, can: [] }))).allowed_actions).toEqual([]);
  });
});
