import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import type { Db } from '../../operations.ts';
import { type LeaveDay, postLine, takingsOf } from './account.rules.ts';
import { openLeave, storeLeave } from './accounts.ts';
import { balanceAsOf } from './balance.rules.ts';
import { daysBetween, plusDays } from './calendar.rules.ts';
import { restoreAll, takeDays, replayLedger } from './replay.rules.ts';

const { company } = await openHr();
let acme: TestWorkspace;
let ada: string;
let holiday: string;
beforeEach(async () => {
  acme = await company();
  ada = await acme.employ({ joining_date: '2026-01-01' });
  holiday = await acme.leaveType();
});

const noon = (day: string) => `${day}T12:00:00Z`;
const weekdays = (from: string, to: string, off: string[] = []): string[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => plusDays(from, at)).filter(
    (day) => ![0, 6].includes(new Date(day).getUTCDay()) && !off.includes(day),
  );

/** Creates a leave request with its days, as the operations do. */
async function createLeaveRequest(
  db: Db,
  days: string[],
  status = 'pending',
  leave_type_id = holiday,
): Promise<LeaveDay[]> {
  const [from, to] = [days[0]!, days.at(-1)!].map(noon) as [string, string];
  const { id } = await db.leaveApplication.create({
    data: { employee_id: ada, leave_type_id, from, to, days: days.length, status },
  });
  const rows = days.map((day) => ({ application_id: id, employee_id: ada, day: noon(day), days: 1 }));
  await db.leaveDay.createMany({ data: rows });
  return days.map((day) => ({ application_id: id, day, days: 100 }));
}

/** Grants a request if the balance covers it. Returns the missing amount. */
const grant = (days: string[]) =>
  acme.write(async (db) => {
    const leave = await openLeave(db, { employee_id: ada, leave_type_id: holiday });
    const requested = await createLeaveRequest(db, days, 'approved');
    const shortage = replayLedger(leave.account, leave.holder, leave.today, requested);
    if (shortage) {
      await db.leaveApplication.updateMany({
        where: { id: requested[0]!.application_id },
        data: { status: 'rejected' },
      });
      return { shortage, application_id: '' };
    }
    takeDays(leave.account, leave.today, requested);
    await storeLeave(db, leave);
    return { shortage, application_id: requested[0]!.application_id };
  });
const openAccountOf = (leave_type_id = holiday) =>
  acme.write(async (db) => {
    const leave = await openLeave(db, { employee_id: ada, leave_type_id });
    await storeLeave(db, leave);
    return leave;
  });
const balance = async (day?: string, type = holiday) => {
  const leave = await openAccountOf(type);
  return balanceAsOf(leave.account, leave.holder, leave.today, day ?? leave.today);
};
const ledger = (type = holiday) =>
  acme.write(async (db) => {
    const rows = await db.leaveLedger.findMany({ where: { leave_type_id: type }, orderBy: { id: 'asc' } });
    return rows.map(({ kind, days }) => [kind, Number(days)]);
  });

describe('an account', () => {
  test('receives due grants once when opened repeatedly or concurrently', async () => {
    freezeClock(noon('2026-03-10'));
    await runConcurrently(10, () => openAccountOf());
    expect(await ledger()).toEqual([
      ['accrual', 2],
      ['accrual', 2],
      ['accrual', 2],
    ]);
  });

  test('plans ahead within future grants, which settle planned days by pairs of lines', async () => {
    const time = freezeClock(noon('2026-02-10'));
    expect((await grant(weekdays('2026-08-03', '2026-08-14'))).shortage).toBeUndefined();
    expect((await grant(weekdays('2026-03-09', '2026-03-13'))).shortage).toBeUndefined();
    expect((await grant(['2026-04-07', '2026-04-08'])).shortage).toEqual({
      short: 100,
      first_short_on: '2026-08-14',
    });
    time.goTo(noon('2026-08-15'));
    const { account } = await openAccountOf();
    expect(takingsOf(account).some(({ charges }) => charges.has(null))).toBe(false);
    expect((await balance()).available).toBe(100);
    const rows = await acme.write((db) => db.leaveLedger.findMany({ where: { kind: { in: ['taken', 'restored'] } } }));
    const pairs = rows.filter(({ kind, lot_id }) => kind === 'restored' && lot_id === null);
    expect(pairs.length).toBeGreaterThan(0);
    expect(rows.reduce((sum, { days }) => sum + Number(days), 0)).toBe(-15);
  });

  test('expires days immediately that are returned to an ended lot', async () => {
    const sick = await acme.leaveType({
      code: 's',
      name: 'S',
      days_per_year: '20',
      accrual: 'upfront',
      plan_ahead: false,
    });
    holiday = sick;
    const time = freezeClock(noon('2026-03-02'));
    await acme.write(async (db) => {
      const leave = await openLeave(db, { employee_id: ada, leave_type_id: sick });
      postLine(leave.account, { kind: 'carry_forward', days: 500, valid_from: '2026-01-01', valid_to: '2026-03-31' });
      await storeLeave(db, leave);
    });
    const { application_id } = await grant(weekdays('2026-03-30', '2026-04-03', ['2026-04-03']));
    expect((await balance()).lots.map(({ left }) => left)).toEqual([300, 1_800]);
    time.goTo(noon('2026-04-01'));
    await openAccountOf();
    expect((await ledger(sick)).at(-1)).toEqual(['expiry', -3]);
    time.goTo(noon('2026-04-07'));
    await acme.write(async (db) => {
      const leave = await openLeave(db, { employee_id: ada, leave_type_id: sick });
      restoreAll(leave.account, application_id);
      await storeLeave(db, leave);
    });
    expect((await ledger(sick)).slice(-5)).toEqual([
      ['restored', 1],
      ['restored', 1],
      ['restored', 1],
      ['restored', 1],
      ['expiry', -2],
    ]);
    expect((await balance()).available).toBe(2_000);
  });

  test('holds the days of pending requests, except the one being decided', async () => {
    freezeClock(noon('2026-03-10'));
    const [requested] = await acme.write((db) => createLeaveRequest(db, ['2026-03-16', '2026-03-17']));
    expect(await balance()).toMatchObject({ pending: 200, available: 400 });
    const leave = await acme.write((db) =>
      openLeave(db, { employee_id: ada, leave_type_id: holiday, deciding: requested!.application_id }),
    );
    expect(leave.account.held).toEqual([]);
  });

  test('grants at most the available days to 50 concurrent requests', async () => {
    freezeClock(noon('2026-12-10'));
    holiday = await acme.leaveType({ code: 'ten', name: 'Ten', days_per_year: '10', accrual: 'upfront' });
    const days = weekdays('2026-12-11', '2026-12-31');
    const granted = await runConcurrently(50, (at) => grant([days[at % days.length]!]).catch(() => undefined));
    const taken = granted.filter((one) => one && !one.shortage).length;
    expect(taken).toBe(10);
    expect(await balance()).toMatchObject({ available: 0 });
  });
});
