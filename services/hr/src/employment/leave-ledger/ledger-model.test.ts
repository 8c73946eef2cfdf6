/** Compares the ledger with a model that simulates the year day by day, without a ledger. */
import { describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import fc from 'fast-check';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import type { Db } from '../../operations.ts';
import { type LeaveDay, openAccount, postLine, takingsOf } from './account.rules.ts';
import { openLeave, type OpenLeave, storeLeave } from './accounts.ts';
import { balanceAsOf } from './balance.rules.ts';
import { plusDays } from './calendar.rules.ts';
import type { LeaveHolder } from './settlement.rules.ts';
import { settleAccount } from './settlement.rules.ts';
import { restoreAll, takeDays, replayLedger } from './replay.rules.ts';

const { company } = await openHr();
const TODAY = '2026-01-01';
const dayOf = (at: number) => plusDays(TODAY, at);

const holder = (days_per_year: number): LeaveHolder => ({
  key: 'grant',
  policy: {
    days_per_year,
    accrual: 'monthly',
    carry_forward_max: 0,
    carry_expires_after_days: null,
    carry_expires_on: null,
    allow_negative_to: 0,
    plan_ahead: true,
    active: true,
  },
  term: { from: TODAY, to: null, step: 50 },
});

const lots = fc.array(fc.record({ days: fc.integer({ min: 1, max: 8 }), from: fc.nat(200), length: fc.nat(160) }), {
  maxLength: 5,
});
const requests = fc.uniqueArray(fc.record({ at: fc.nat(360), halves: fc.integer({ min: 1, max: 2 }) }), {
  selector: ({ at }) => at,
  maxLength: 40,
});

/**
 * Simulates the days of a year. Each day grants days, uses the earliest expiry first, and records the balance and the
 * shortage.
 */
function simulateYear(
  granted: readonly { days: number; from: number; to: number }[],
  spent: ReadonlyMap<number, number>,
) {
  const remainingPay: { to: number; left: number; from: number; at: number }[] = [];
  const there: number[] = [];
  let isShort = false;
  for (let day = 0; day < 365; day += 1) {
    granted.forEach(({ days, from, to }, at) => {
      if (from === day) remainingPay.push({ to, left: days, from, at });
    });
    const valid = remainingPay
      .filter(({ to }) => to >= day)
      .toSorted((one, other) => one.to - other.to || one.from - other.from || one.at - other.at);
    let need = spent.get(day) ?? 0;
    for (const lot of valid) {
      const part = Math.min(lot.left, need);
      lot.left -= part;
      need -= part;
    }
    isShort ||= need > 0;
    there.push(valid.reduce((sum, { left }) => sum + left, 0));
  }
  return { isShort, there };
}

const requestedDays = fc.array(
  fc.record({ step: fc.integer({ min: 0, max: 40 }), ahead: fc.nat(120), halves: fc.constantFrom(1, 2) }),
  { minLength: 1, maxLength: 12 },
);

type LeaveTransaction = <T>(on: (db: Db, leave: OpenLeave) => T | Promise<T>) => Promise<T>;

/** Works on an employee account as a command does. */
const inAccount = <T>(
  { write }: TestWorkspace,
  of: { employee_id: string; leave_type_id: string },
  on: (db: Db, leave: OpenLeave) => T | Promise<T>,
): Promise<T> =>
  write(async (db) => {
    const leave = await openLeave(db, of);
    const result = await on(db, leave);
    await storeLeave(db, leave);
    return result;
  });

/** Takes a day if the balance covers it. Returns the missing amount. */
async function requestDay(db: Db, leave: OpenLeave, { day, halves }: { day: string; halves: number }) {
  const { account, holder: terms, today, employee_id, leave_type_id } = leave;
  const days = halves * 50;
  const missing = replayLedger(account, terms, today, [{ application_id: '', day, days }]);
  if (missing) return missing;
  const on = `${day}T12:00:00Z`;
  const data = { employee_id, leave_type_id, from: on, to: on, days: halves / 2, status: 'approved' };
  const { id: application_id } = await db.leaveApplication.create({ data });
  await db.leaveDay.create({ data: { application_id, employee_id, day: on, days: halves / 2 } });
  takeDays(account, today, [{ application_id, day, days }]);
  return undefined;
}

describe('a ledger', () => {
  test('grants the same as a year settled daily, in any order of requests', () => {
    fc.assert(
      fc.property(lots, requests, fc.constantFrom(0, 600, 1_200, 2_400), (given, requestedDays, days_per_year) => {
        const terms = holder(days_per_year);
        const account = openAccount([]);
        const granted = given.map(({ days, from, length }) => ({
          days: days * 50,
          from,
          to: Math.min(from + length, 364),
        }));
        for (const { days, from, to } of granted)
          postLine(account, { kind: 'adjustment', days, valid_from: dayOf(from), valid_to: dayOf(to) });
        settleAccount(account, terms, { until: TODAY });
        const firsts = Array.from({ length: 365 }, (_, at) => at).filter((at) => dayOf(at).endsWith('-01'));
        const all = [...granted, ...firsts.map((from) => ({ days: days_per_year / 12, from, to: 364 }))];
        const spent = new Map<number, number>();
        for (const { at, halves } of requestedDays) {
          const leave: LeaveDay = { application_id: String(at), day: dayOf(at), days: halves * 50 };
          const short = simulateYear(all, new Map([...spent, [at, leave.days]])).isShort;
          expect(replayLedger(account, terms, TODAY, [leave]) !== undefined).toBe(short);
          if (short) continue;
          spent.set(at, leave.days);
          takeDays(account, TODAY, [leave]);
        }
        settleAccount(account, terms, { until: '2026-12-31' });
        expect(takingsOf(account).some(({ charges }) => charges.has(null))).toBe(false);
        const { there } = simulateYear(all, spent);
        expect(balanceAsOf(account, terms, '2026-12-31', '2026-12-31').available).toBe(there[364]);
        for (const { left, granted: most } of account.lots) expect(left >= 0 && left <= most).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('returns to its initial state when all taken days are restored', () => {
    fc.assert(
      fc.property(lots, requests, (given, requestedDays) => {
        const account = openAccount([]);
        for (const { days, from, length } of given)
          postLine(account, {
            kind: 'adjustment',
            days: days * 50,
            valid_from: dayOf(from),
            valid_to: dayOf(from + length),
          });
        const before = account.lots.map(({ left }) => left);
        for (const { at } of requestedDays)
          takeDays(account, TODAY, [{ application_id: String(at), day: dayOf(at), days: 100 }]);
        for (const { at } of requestedDays) restoreAll(account, String(at));
        expect(account.lots.map(({ left }) => left)).toEqual(before);
        expect(takingsOf(account)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('matches a year settled daily in the database, at any time of the year', async () => {
    const acme = await company();
    let round = 0;
    const time = freezeClock(`${TODAY}T12:00:00Z`);
    await fc.assert(
      fc.asyncProperty(lots, requestedDays, async (given, requested) => {
        round += 1;
        time.goTo(`${TODAY}T12:00:00Z`);
        const employee_id = await acme.employ({ joining_date: TODAY });
        const leave_type_id = await acme.leaveType({ name: `Type ${round}`, code: `type_${round}` });
        const granted = given.map(({ days, from, length }) => ({
          days: days * 50,
          from,
          to: Math.min(from + length, 364),
        }));
        const inAccountOfEmployee: LeaveTransaction = (on) => inAccount(acme, { employee_id, leave_type_id }, on);
        await inAccountOfEmployee((_, { account }) => {
          for (const { days, from, to } of granted)
            postLine(account, { kind: 'adjustment', days, valid_from: dayOf(from), valid_to: dayOf(to) });
        });
        const firsts = Array.from({ length: 365 }, (_, at) => at).filter((at) => dayOf(at).endsWith('-01'));
        const all = [...granted, ...firsts.map((from) => ({ days: 200, from, to: 364 }))];
        const spent = new Map<number, number>();
        let now = 0;
        for (const { step, ahead, halves } of requested) {
          now = Math.min(now + step, 364);
          time.goTo(`${dayOf(now)}T12:00:00Z`);
          const at = Math.min(now + ahead, 364);
          if (spent.has(at)) continue;
          const isShort = simulateYear(all, new Map([...spent, [at, halves * 50]])).isShort;
          const shortage = await inAccountOfEmployee((db, leave) => requestDay(db, leave, { day: dayOf(at), halves }));
          expect(shortage !== undefined).toBe(isShort);
          if (!shortage) spent.set(at, halves * 50);
        }
        time.goTo('2026-12-31T12:00:00Z');
        const { account, holder: terms, today } = await inAccountOfEmployee((_, leave) => leave);
        expect(balanceAsOf(account, terms, today, today).available).toBe(simulateYear(all, spent).there[364]);
        expect(takingsOf(account).some(({ charges }) => charges.has(null))).toBe(false);
      }),
      { numRuns: 15 },
    );
    expect(round).toBeGreaterThanOrEqual(15);
  }, 240_000);
});
