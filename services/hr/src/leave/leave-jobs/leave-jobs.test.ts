import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import { applyEffectiveDates } from '../../employment/employment/effective-dates.ts';
import { settleAllLeave } from './settle-leave.ts';
import { settleLeaver } from './settle-leaver.ts';

const { serving, company } = await openHr();
const log = { error: (_: unknown, message: string) => failures.push(message) } as never;
const failures: string[] = [];
const tools = { database: serving.database as never, log };
let acme: TestWorkspace;
beforeEach(async () => {
  // Jobs run for all workspaces. Suspended employees keep other tests out.
  await serving.sql`UPDATE employees SET status = 'left'`;
  acme = await company();
  // Default leave types were created today, regardless of the test clock.
  await serving.sql`UPDATE leave_types SET active = false WHERE workspace_id = ${acme.workspace}`;
});

const lines = async (employee_id: string) =>
  (
    await serving.sql`
      SELECT kind, days::float, valid_from::text, valid_to::text, lot_id IS NOT NULL AS of_lot FROM leave_ledger
      WHERE employee_id = ${employee_id} ORDER BY id`
  ).map(({ kind, days, valid_from, valid_to }) => [kind, days, valid_from, valid_to]);

describe('a leave job', () => {
  test('grants a month once at 00:05 local time on its first day, with several replicas', async () => {
    const time = freezeClock('2026-02-20T12:00:00Z');
    await acme.leaveType({ days_per_year: '25' });
    const ada = await acme.employ({ joining_date: '2026-02-01' });
    await runConcurrently(3, () => settleAllLeave(tools));
    expect(await lines(ada)).toEqual([['accrual', 2.09, '2026-02-01', '2026-12-31']]);
    time.goTo('2026-02-28T23:04:59Z');
    await settleAllLeave(tools);
    expect(await lines(ada)).toHaveLength(1);
    time.goTo('2026-02-28T23:05:00Z');
    await runConcurrently(5, () => settleAllLeave(tools));
    expect((await lines(ada)).slice(1)).toEqual([['accrual', 2.08, '2026-03-01', '2026-12-31']]);
    await settleAllLeave(tools);
    expect(await lines(ada)).toHaveLength(2);
  });

  test('processes a missed week across a year change with the same ledger entries', async () => {
    const time = freezeClock('2026-12-15T12:00:00Z');
    await acme.leaveType({ carry_forward_max: '5', carry_expires_on: '03-31' });
    const [daily, late] = [await acme.employ({ name: 'Daily' }), await acme.employ({ name: 'Late' })];
    const days = ['2026-12-28', '2026-12-31', '2027-01-01', '2027-01-02', '2027-02-01', '2027-03-31', '2027-04-01'];
    await serving.sql`UPDATE employees SET status = 'left' WHERE id = ${late}`;
    for (const day of ['2026-12-15', ...days]) {
      time.goTo(`${day}T12:00:00Z`);
      await settleAllLeave(tools);
    }
    await serving.sql`UPDATE employees SET status = 'active' WHERE id = ${late}`;
    await settleAllLeave(tools);
    const sortedLines = async (id: string) => (await lines(id)).map((line) => JSON.stringify(line)).toSorted();
    expect(await sortedLines(late)).toEqual(await sortedLines(daily));
    const end = (await lines(daily)).slice(12);
    expect(end).toContainEqual(['carry_forward', 5, '2027-01-01', '2027-03-31']);
    const expired = end.filter(([kind]) => kind === 'expiry').map(([, amount]) => amount as number);
    expect(expired.reduce((sum, amount) => sum + amount, 0)).toBe(-24);
  });

  test('continues after one employee fails, and retries them', async () => {
    const time = freezeClock('2026-02-10T12:00:00Z');
    const type = await acme.leaveType();
    const [bad, good] = [await acme.employ({ name: 'A' }), await acme.employ({ name: 'B' })];
    const { id } = await acme.write((db) => db.employment.findFirstOrThrow({ where: { employee_id: bad } }));
    // Another writer has used the key of their first grant.
    const [other] = await serving.sql`SELECT id FROM employments WHERE employee_id = ${good}`;
    await serving.sql`
      INSERT INTO leave_ledger (id, workspace_id, employee_id, employment_id, leave_type_id, kind, days, valid_from, source_key)
      VALUES (gen_random_uuid(), ${acme.workspace}, ${good}, ${other!['id']}, ${type}, 'adjustment', 1, '2026-01-01', ${`${id} ${type} 2026 1`})`;
    await settleAllLeave(tools);
    expect(await lines(bad)).toEqual([]);
    expect(failures).toHaveLength(1);
    expect(await lines(good)).toHaveLength(3);
    await serving.sql`DELETE FROM leave_ledger WHERE source_key = ${`${id} ${type} 2026 1`}`;
    time.goTo('2026-02-10T12:02:00Z');
    await settleAllLeave(tools);
    expect(await lines(bad)).toHaveLength(2);
  });

  test('settles new employees immediately, and all employees after a change of types', async () => {
    freezeClock('2026-06-15T12:00:00Z');
    await acme.leaveType({ accrual: 'upfront' });
    const other = await company();
    await serving.sql`UPDATE leave_types SET active = false WHERE workspace_id = ${other.workspace}`;
    const [ada, bob] = [await acme.employ(), await other.employ({ name: 'Bob' })];
    await settleAllLeave(tools);
    expect([await lines(ada), await lines(bob)]).toEqual([[['allocation', 24, '2026-01-01', '2026-12-31']], []]);
    await other.leaveType({ accrual: 'upfront' });
    await settleAllLeave(tools);
    expect(await lines(bob)).toEqual([['allocation', 24, '2026-01-01', '2026-12-31']]);
  });

  test('grants days only to eligible employees, from the day they become eligible', async () => {
    freezeClock('2026-06-15T12:00:00Z');
    await acme.leaveType({ code: 'm', name: 'Maternity', accrual: 'upfront', days_per_year: '98', gender: 'female' });
    await acme.leaveType({ code: 'f', name: 'Full', employment_types: ['full'] });
    const [ada, bob] = [await acme.employ(), await acme.employ({ name: 'Bob' })];
    await serving.sql`UPDATE employees SET gender = 'female' WHERE id = ${ada}`;
    const hired = await acme.write((db) => db.employment.findFirstOrThrow({ where: { employee_id: bob } }));
    await serving.sql`
      INSERT INTO employee_history (id, workspace_id, employee_id, employment_id, field, effective_from, seq, value, cause)
      VALUES (gen_random_uuid(), ${acme.workspace}, ${bob}, ${hired.id}, 'employment_type', '2026-01-01', 2, 'intern', 'manual'),
        (gen_random_uuid(), ${acme.workspace}, ${bob}, ${hired.id}, 'employment_type', '2026-05-10', 1, 'full', 'manual')`;
    await settleAllLeave(tools);
    expect((await lines(ada)).map(([kind, days]) => [kind, days])).toContainEqual(['allocation', 98]);
    expect(await lines(bob)).toEqual([['accrual', 2, '2026-06-01', '2026-12-31']]);
  });
});

describe('an employee who leaves', () => {
  test('loses days granted for later, and is paid the rest or loses it', async () => {
    const time = freezeClock('2026-03-01T12:00:00Z');
    await acme.leaveType({ code: 'p', name: 'Paid out', accrual: 'upfront', encashable: true });
    const ada = await acme.employ({ joining_date: '2020-01-01' });
    await settleAllLeave(tools);
    await acme.write(async (db) => {
      const exit = new Date('2026-09-18');
      await db.employee.updateMany({ where: { id: ada }, data: { status: 'on_notice', exit_date: exit } });
      await db.employment.updateMany({
        where: { employee_id: ada },
        data: { exit_date: exit, exit_cause: 'resigned' },
      });
    });
    time.goTo('2026-09-18T22:00:01Z');
    await applyEffectiveDates(tools, [settleLeaver]);
    const [{ status } = { status: '' }] = await serving.sql`SELECT status FROM employees WHERE id = ${ada}`;
    expect(status).toBe('left');
    const own = (await lines(ada))
      .filter(([kind, , from]) => kind === 'allocation' || String(from) > '2026-01-01')
      .slice(-3);
    expect(own).toEqual([
      ['allocation', 24, '2026-01-01', '2026-12-31'],
      ['adjustment', -7, '2026-09-18', null],
      ['encash', -17, '2026-09-18', null],
    ]);
    const before = await lines(ada);
    time.goTo('2027-01-02T12:00:00Z');
    await settleAllLeave(tools);
    expect(await lines(ada)).toEqual(before);
    const settlements = await serving.sql`
      SELECT FROM leave_settlements JOIN employments ON employments.id = employment_id WHERE employee_id = ${ada}`;
    expect(settlements).toEqual([]);
  });
});
