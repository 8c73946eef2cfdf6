import { beforeAll, expect, test } from '@jest/globals';
import { audit } from '@suite/auditor';
import { freezeClock } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import { openLeave, storeLeave } from '../../employment/leave-ledger/accounts.ts';
import { takeDays } from '../../employment/leave-ledger/replay.rules.ts';
import { checks } from './audit.ts';

const { serving, company } = await openHr();
let acme: TestWorkspace;
let ada: string;
let type: string;
let application: string;

beforeAll(async () => {
  freezeClock('2026-03-10T12:00:00Z');
  acme = await company();
  ada = await acme.employ();
  type = await acme.leaveType();
  await acme.write(async (db) => {
    const day = '2026-03-16';
    const columns = {
      employee_id: ada,
      leave_type_id: type,
      from: `${day}T00:00:00Z`,
      to: `${day}T00:00:00Z`,
      days: 1,
    };
    application = (await db.leaveApplication.create({ data: { ...columns, status: 'approved' } })).id;
    await db.leaveDay.create({
      data: { application_id: application, employee_id: ada, day: `${day}T00:00:00Z`, days: 1 },
    });
    const leave = await openLeave(db, { employee_id: ada, leave_type_id: type });
    takeDays(leave.account, leave.today, [{ application_id: application, day, days: 100 }]);
    await storeLeave(db, leave);
  });
});

/** Returns the rules that a statement by the database owner breaks. The statement is rolled back. */
async function rulesBrokenBy(statement: string, undo: string): Promise<number[]> {
  await serving.admin.query(statement);
  try {
    const broken = await audit(serving.database_url, checks, acme.workspace);
    return [...new Set(broken.map(({ check }) => checks.findIndex(({ name }) => name === check)))];
  } finally {
    await serving.admin.query(undo);
  }
}

const line = (columns: string, values: string) =>
  `INSERT INTO leave_ledger (id, workspace_id, employee_id, employment_id, leave_type_id, reason, kind, days, ${columns})
   SELECT gen_random_uuid(), workspace_id, employee_id, employment_id, leave_type_id, 'broken', ${values}
   FROM leave_ledger WHERE employee_id = '${ada}' AND kind = 'accrual' ORDER BY id LIMIT 1`;
const UNDO = `DELETE FROM leave_ledger WHERE reason = 'broken'`;

test('passes all checks on a valid leave ledger', async () => {
  expect(await audit(serving.database_url, checks, acme.workspace)).toEqual([]);
});

test('detects a violation of each rule', async () => {
  expect(await rulesBrokenBy(line('lot_id', `'adjustment', -9, id`), UNDO)).toEqual([0]);
  expect(await rulesBrokenBy(line('lot_id', `'adjustment', 2, id`), UNDO)).toEqual([0]);
  const spent = `(SELECT id FROM leave_ledger WHERE kind = 'taken' AND employee_id = '${ada}' LIMIT 1)`;
  expect(await rulesBrokenBy(line('lot_id', `'adjustment', -1, ${spent}`), UNDO)).toEqual([1]);
  expect(await rulesBrokenBy(line('application_id, day', `'taken', -1, '${application}', '2026-03-17'`), UNDO)).toEqual(
    [2],
  );
  const setLeaveStatus = (word: string) =>
    `UPDATE leave_applications SET status = '${word}' WHERE id = '${application}'`;
  expect(await rulesBrokenBy(setLeaveStatus('cancelled'), setLeaveStatus('approved'))).toEqual([2]);
  const days = (amount: number) => `UPDATE leave_applications SET days = ${amount} WHERE id = '${application}'`;
  expect(await rulesBrokenBy(days(2), days(1))).toEqual([3]);
  expect(
    await rulesBrokenBy(line('valid_from, valid_to', `'adjustment', 1, '2020-01-01', '2020-12-31'`), UNDO),
  ).toEqual([4]);
});
