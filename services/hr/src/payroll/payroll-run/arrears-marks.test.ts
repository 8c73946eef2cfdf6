import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Sql, sql } from '@suite/chassis/database';
import { openEncryption, type FieldCipher } from '@suite/field-encryption';
import { freezeClock } from '@suite/testing';
import { openPayroll, type PayrollFixture } from '../../../test/payroll.ts';
import { salaryCipherLocation } from '../../employment/employment/salary-cipher-location.ts';
import type { Db } from '../../operations.ts';
import { settingsOfNow } from '../payroll-facts/run-settings.ts';
import { type CalculatedRun, readBatch } from './inputs.ts';
import { inputOf } from './payslip-outcome.ts';

const { payroll, tools, serving } = await openPayroll();
const JULY = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
const AUGUST = { period_start: '2026-08-01', period_end: '2026-08-31', pay_date: '2026-08-31' };
let acme: PayrollFixture;
let august: CalculatedRun;
let people: Record<'ada' | 'han' | 'pia', string>;
let others: { shift: string; calendar: string };

/** Returns SQL that inserts a row in Ada's employment history. */
const insertHistory = (field: string, value: string, from = '2026-06-01'): Sql => sql`
  INSERT INTO employee_history (id, employee_id, employment_id, field, value, effective_from, seq, cause)
  SELECT gen_random_uuid(), id, (SELECT id FROM employments WHERE employee_id = employees.id), ${field}, ${value}, ${from}::date, 99, 'manual'
  FROM employees WHERE id = ${people.ada}::uuid`;
const holiday = (day: string): Sql => sql`
  INSERT INTO holidays (id, calendar_id, name, "from", "to", paid)
  SELECT gen_random_uuid(), id, 'Day off', ${day}::date, ${day}::date, FALSE FROM holiday_calendars WHERE is_default`;
const termsOf = (from: string, change: object): Sql => sql`
  INSERT INTO shift_versions (id, shift_id, effective_from, seq, terms)
  SELECT gen_random_uuid(), id, ${from}::date, 99, (SELECT terms FROM shift_versions WHERE shift_id = shifts.id LIMIT 1) || ${JSON.stringify(change)}::jsonb
  FROM shifts WHERE is_default`;
async function raiseSalary(db: Db, cipher: FieldCipher, from: string): Promise<void> {
  const id = randomUUIDv7();
  const salary = { basis: 'monthly', amount: '3500.00', currency: 'EUR', weekly_hours: '40', hourly_source: null };
  const value_sealed = cipher.seal(salaryCipherLocation(id), JSON.stringify({ ...salary, components: [] }));
  await db.rows(sql`
    INSERT INTO employee_history (id, employee_id, employment_id, field, value_sealed, effective_from, seq, cause)
    SELECT ${id}::uuid, ${people.ada}::uuid, id, 'salary', ${value_sealed}, ${from}::date, 99, 'manual'
    FROM employments WHERE employee_id = ${people.ada}::uuid`);
}

type FactChange = (db: Db, cipher: FieldCipher) => Promise<unknown>;
const changeBy =
  (statement: () => Sql): FactChange =>
  (db) =>
    db.rows(statement());

class Rollback extends Error {}

/** Makes a change, returns the employees compared for August and those with arrears, and undoes the change. */
async function employeesAfter(change: FactChange) {
  let found = { compared: [] as string[], owed: [] as string[] };
  const trial = acme.write(async (db) => {
    const cipher = await openEncryption(db, tools.keys.master);
    await change(db, cipher);
    const names = Object.entries(people);
    const batch = await readBatch(db, cipher, august, Object.values(people));
    const hasArrears = (id: string) => inputOf(batch, cipher, id).input.carried.one_offs.length > 0;
    found = {
      compared: names.flatMap(([name, id]) => (batch.compared.has(id) ? name : [])),
      owed: names.flatMap(([name, id]) => (hasArrears(id) ? name : [])),
    };
    throw new Rollback();
  });
  await trial.catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error;
  });
  return found;
}

async function hireAll(): Promise<void> {
  const ids = await acme.components([
    { code: 'bonus', kind: 'earning', calc: 'fixed', amount: '30.00', position: 1 },
    { code: 'aged', kind: 'earning', calc: 'formula', formula: 'age', position: 2 },
  ]);
  const components = Object.values(ids).map((component_id) => ({ component_id }));
  const hourly = (hourly_source: string) => ({ salary: { basis: 'hourly', amount: '20.00', hourly_source } });
  people = {
    ada: await acme.hire({ dob: '1990-01-01', salary: { basis: 'monthly', amount: '3000.00', components } }),
    han: await acme.hire({ name: 'Han', ...hourly('attendance') }),
    pia: await acme.hire({ name: 'Pia', ...hourly('projects') }),
  };
  const user_id = acme.member().caller.user_id;
  await serving.sql`INSERT INTO users (id, workspace_id, name, kind) VALUES (${user_id}, ${acme.workspace}, 'Pia', 'staff')`;
  await serving.sql`UPDATE employees SET user_id = ${user_id} WHERE id = ${people.pia}`;
  await serving.sql`INSERT INTO project_times (id, workspace_id, user_id, local_date, seconds, approved, as_of)
    VALUES (gen_random_uuid(), ${acme.workspace}, ${user_id}, '2026-06-02', 5430, true, 1)`;
}

async function enterAttendance(): Promise<void> {
  const span = { first_in: '2026-06-16T09:00:00+02:00', last_out: '2026-06-16T20:00:00+02:00' };
  await acme.attend(people.ada, '2026-06-03', { status: 'half_day' });
  await acme.attend(people.ada, '2026-06-16', span);
  await acme.attend(people.han, '2026-06-16', span);
  await acme.leave(people.ada, '2026-06-10', { paid: false });
}

/** Creates another shift and another calendar that no employee uses yet. */
async function createUnusedSchedules(): Promise<void> {
  const six = { name: 'Six days', start: '09:00', end: '17:00', days: [1, 2, 3, 4, 5, 6], timezone: 'Europe/Berlin' };
  const shift = (await acme.owner.post('/api/shift/create', six)).body.data.id;
  const calendar = randomUUID();
  await serving.sql`INSERT INTO holiday_calendars (id, workspace_id, name) VALUES (${calendar}, ${acme.workspace}, 'Other')`;
  await serving.sql`INSERT INTO holidays (id, workspace_id, calendar_id, name, "from", "to", paid)
    VALUES (gen_random_uuid(), ${acme.workspace}, ${calendar}, 'Day off', '2026-06-11', '2026-06-11', false)`;
  others = { shift, calendar };
}

beforeAll(async () => {
  freezeClock('2026-07-31T12:00:00Z');
  acme = await payroll();
  await hireAll();
  await enterAttendance();
  await createUnusedSchedules();
  for (const span of [{}, JULY]) {
    const run = await acme.run(await acme.draft(span));
    await acme.finalise(run.id);
  }
  const settings = await acme.write((db) => settingsOfNow(db));
  august = { id: randomUUID(), type: 'regular', frequency: 'monthly', currency: 'EUR', settings, ...AUGUST };
}, 120_000);

describe('earlier payslips', () => {
  test.each<[string, FactChange]>([
    ['nothing has', async () => undefined],
    ['pay of the time after them has', (db, cipher) => raiseSalary(db, cipher, '2026-08-01')],
    ['a holiday after them has', changeBy(() => holiday('2026-08-05'))],
    ['an account of a bank has', changeBy(() => sql`UPDATE employees SET bank_sealed = NULL`)],
  ])('are not compared if %s changed', async (_, change) => {
    expect(await employeesAfter(change)).toEqual({ compared: [], owed: [] });
  });

  test.each<[string, keyof typeof people, FactChange]>([
    ['a salary', 'ada', (db, cipher) => raiseSalary(db, cipher, '2026-06-01')],
    [
      'a component',
      'ada',
      changeBy(
        () => sql`
          INSERT INTO salary_component_versions (id, component_id, effective_from, seq, terms)
          SELECT gen_random_uuid(), component_id, '2026-06-01', 99, terms || '{"amount": "50.00"}'
          FROM salary_component_versions JOIN salary_components ON salary_components.id = component_id WHERE code = 'bonus'`,
      ),
    ],
    ['a holiday', 'ada', changeBy(() => holiday('2026-06-04'))],
    ['the days of a shift', 'ada', changeBy(() => termsOf('2026-06-01', { days: [1, 2, 3, 4, 5, 6] }))],
    ['the shift of an employee', 'ada', changeBy(() => insertHistory('shift_id', others.shift))],
    ['the calendar of an employee', 'ada', changeBy(() => insertHistory('calendar_id', others.calendar))],
    [
      'the calendar of a branch',
      'ada',
      changeBy(
        () => sql`
        UPDATE holiday_calendars SET branch_id = (SELECT branch_id FROM employees WHERE id = ${people.ada}::uuid)
        WHERE id = ${others.calendar}::uuid`,
      ),
    ],
    [
      'a day that was missed',
      'ada',
      changeBy(() => sql`UPDATE attendances SET status = 'present' WHERE status = 'half_day'`),
    ],
    [
      'overtime',
      'ada',
      changeBy(
        () =>
          sql`UPDATE attendances SET overtime_approved = TRUE WHERE employee_id = ${people.ada}::uuid AND overtime_minutes > 0`,
      ),
    ],
    [
      'minutes worked',
      'han',
      changeBy(
        () => sql`UPDATE attendances SET worked_minutes = worked_minutes + 60 WHERE employee_id = ${people.han}::uuid`,
      ),
    ],
    ['leave', 'ada', changeBy(() => sql`UPDATE leave_applications SET status = 'cancelled' WHERE status = 'approved'`)],
    ['a type of leave', 'ada', changeBy(() => sql`UPDATE leave_types SET paid = TRUE`)],
    ['approved time in projects', 'pia', changeBy(() => sql`UPDATE project_times SET seconds = 7200`)],
    ['whose time it is', 'pia', changeBy(() => sql`UPDATE employees SET user_id = NULL WHERE user_id IS NOT NULL`)],
    [
      'a day of joining',
      'ada',
      changeBy(() => sql`UPDATE employments SET joining_date = '2026-06-12' WHERE employee_id = ${people.ada}::uuid`),
    ],
    [
      'a last day',
      'ada',
      changeBy(() => sql`UPDATE employments SET exit_date = '2026-07-15' WHERE employee_id = ${people.ada}::uuid`),
    ],
    ['a date of birth', 'ada', changeBy(() => sql`UPDATE employees SET dob = '1980-01-01' WHERE dob IS NOT NULL`)],
  ])('are compared and result in arrears when %s has changed', async (_, who, change) => {
    const { compared, owed: withArrears } = await employeesAfter(change);
    expect(compared).toContain(who);
    expect(withArrears).toContain(who);
  });

  test('are compared if final payslips have changed or the mark is missing', async () => {
    const reversePayslips = () => sql`UPDATE payroll_entries SET status = 'reversed' WHERE period_start = '2026-06-01'`;
    expect((await employeesAfter(changeBy(reversePayslips))).compared).toEqual(['ada', 'han', 'pia']);
    const clearMarks = () => sql`UPDATE payroll_entries SET arrears_mark = NULL`;
    expect(await employeesAfter(changeBy(clearMarks))).toEqual({ compared: ['ada', 'han', 'pia'], owed: [] });
  });
});
