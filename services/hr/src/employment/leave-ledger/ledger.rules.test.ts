import { describe, expect, test } from '@jest/globals';
import { type LeaveAccount, type LeaveDay, openAccount, postLine } from './account.rules.ts';
import { balanceAsOf } from './balance.rules.ts';
import { daysBetween, plusDays } from './calendar.rules.ts';
import { carryEnd, type GrantPolicy, shareOfYear } from './grant.rules.ts';
import { type LeaveHolder, settleAccount } from './settlement.rules.ts';
import { restoreAll, takeDays, replayLedger } from './replay.rules.ts';

const holder = (policy: Partial<GrantPolicy> = {}, term: Partial<LeaveHolder['term']> = {}): LeaveHolder => ({
  key: 'grant',
  policy: {
    days_per_year: 2_400,
    accrual: 'monthly',
    carry_forward_max: 0,
    carry_expires_after_days: null,
    carry_expires_on: null,
    allow_negative_to: 0,
    plan_ahead: true,
    active: true,
    ...policy,
  },
  term: { from: '2026-01-01', to: null, step: 50, ...term },
});

/** Returns the weekdays from one day to another, except the days in `off`. */
const leaveDaysBetween = (application_id: string, from: string, to: string, off: readonly string[] = []): LeaveDay[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => plusDays(from, index))
    .filter((day) => ![0, 6].includes(new Date(day).getUTCDay()) && !off.includes(day))
    .map((day) => ({ application_id, day, days: 100 }));

const postCarryForward = (account: LeaveAccount) =>
  postLine(account, { kind: 'carry_forward', days: 500, valid_from: '2026-01-01', valid_to: '2026-03-31' });

describe('grants', () => {
  test('add up to exactly 25 days a year if made monthly', () => {
    const account = openAccount([]);
    settleAccount(account, holder({ days_per_year: 2_500 }), { until: '2026-12-31' });
    expect(account.lots.map(({ granted }) => granted)).toEqual([
      208, 209, 208, 208, 209, 208, 208, 209, 208, 208, 209, 208,
    ]);
  });

  test('are written once, regardless of how often and late the account is settled', () => {
    const late = openAccount([]);
    settleAccount(late, holder(), { until: '2026-05-20' });
    expect(settleAccount(late, holder(), { until: '2026-05-20' })).toEqual([]);
    const daily = openAccount([]);
    for (let day = '2026-01-01'; day <= '2026-05-20'; day = plusDays(day, 1))
      settleAccount(daily, holder(), { until: day });
    expect(daily.lines).toEqual(late.lines);
  });

  test('are rounded to the nearest step for a part of a year', () => {
    const shareBetween = (from: string, to: string | null) =>
      shareOfYear({ days_per_year: 2_400 }, { from, to, step: 50 }, 2026);
    expect(shareBetween('2026-04-16', null)).toBe(1_700);
    expect(shareBetween('2020-01-01', '2026-09-18')).toBe(1_700);
    expect(shareBetween('2020-01-01', null)).toBe(2_400);
    expect(shareBetween('2027-01-01', null)).toBe(0);
  });
});

describe('carried days', () => {
  test.each([
    [{ carry_expires_after_days: 90 }, 2026, '2026-03-31'],
    [{ carry_expires_after_days: 90 }, 2028, '2028-03-30'],
    [{ carry_expires_after_days: 90, carry_expires_on: '03-31' }, 2028, '2028-03-31'],
    [{}, 2027, '2027-12-31'],
  ])('expire under the policy %j, if carried into %i, on %s', (policy, year, end) => {
    expect(carryEnd(holder(policy).policy, year)).toBe(end);
  });

  test('are limited by the policy less pending days, and grow after a rejection', () => {
    const account = openAccount([]);
    const terms = holder({
      days_per_year: 1_000,
      accrual: 'upfront',
      carry_forward_max: 500,
      carry_expires_on: '03-31',
    });
    settleAccount(account, terms, { until: '2026-12-28' });
    takeDays(account, '2026-12-28', leaveDaysBetween('a', '2026-06-01', '2026-06-04'));
    account.held = leaveDaysBetween('b', '2026-12-29', '2026-12-31');
    settleAccount(account, terms, { until: '2027-01-02' });
    expect(balanceAsOf(account, terms, '2027-01-02', '2027-01-02')).toMatchObject({ carried: 300, available: 1_300 });
    account.held = [];
    settleAccount(account, terms, { until: '2027-01-02' });
    expect(balanceAsOf(account, terms, '2027-01-02', '2027-01-02')).toMatchObject({
      carried: 500,
      available: 1_500,
      expired: 100,
    });
  });
});

describe('lots', () => {
  // Worked example G16.
  test('are used in order of expiry: 3 of 5 carried days, before granted ones', () => {
    const account = openAccount([]);
    const terms = holder({ carry_expires_on: '03-31' });
    postCarryForward(account);
    settleAccount(account, terms, { until: '2026-02-10' });
    const availableOn = (day: string) => balanceAsOf(account, terms, '2026-02-10', day).available;
    expect(availableOn('2026-02-10')).toBe(900);
    takeDays(account, '2026-02-10', leaveDaysBetween('a', '2026-02-11', '2026-02-13'));
    expect(balanceAsOf(account, terms, '2026-02-10', '2026-02-10').lots.map(({ left }) => left)).toEqual([
      200, 200, 200,
    ]);
    expect(availableOn('2026-04-01')).toBe(800);
  });

  // Expiry after a cancellation (docs/worked-examples.md).
  test('expire the days that a cancellation restores after their expiry', () => {
    const account = openAccount([]);
    const terms = holder({ days_per_year: 2_000, accrual: 'upfront', plan_ahead: false, carry_expires_on: '03-31' });
    postCarryForward(account);
    settleAccount(account, terms, { until: '2026-03-02' });
    takeDays(account, '2026-03-02', leaveDaysBetween('a', '2026-03-30', '2026-04-03', ['2026-04-03']));
    expect(account.lots.map(({ left }) => left)).toEqual([300, 1_800]);
    expect(settleAccount(account, terms, { until: '2026-04-07' })).toMatchObject([{ kind: 'expiry', days: -300 }]);
    const restored = restoreAll(account, 'a');
    expect(restored.map(({ kind, days }) => [kind, days])).toEqual(Array.from({ length: 4 }, () => ['restored', 100]));
    expect(settleAccount(account, terms, { until: '2026-04-07' })).toMatchObject([{ kind: 'expiry', days: -200 }]);
    expect(balanceAsOf(account, terms, '2026-04-07', '2026-04-07').available).toBe(2_000);
  });
});

describe('planning ahead', () => {
  const today = '2026-02-10';
  const createAccount = () => {
    const account = openAccount([]);
    settleAccount(account, holder(), { until: today });
    return account;
  };
  const august = leaveDaysBetween('august', '2026-08-03', '2026-08-14');
  const march = leaveDaysBetween('march', '2026-03-09', '2026-03-13');
  const april = leaveDaysBetween('april', '2026-04-07', '2026-04-08');

  // Planning ahead (docs/worked-examples.md).
  test('takes at most the days that will have been granted by then', () => {
    const account = createAccount();
    for (const days of [august, march]) {
      expect(replayLedger(account, holder(), today, days)).toBeUndefined();
      takeDays(account, today, days);
    }
    expect(replayLedger(account, holder(), today, april)).toEqual({ short: 100, first_short_on: '2026-08-14' });
    settleAccount(account, holder(), { until: '2026-03-14' });
    // Days granted in March cover the days of March first, and then planned days.
    expect(balanceAsOf(account, holder(), '2026-03-14', '2026-03-14').available).toBe(0);
    settleAccount(account, holder(), { until: '2026-08-15' });
    expect(balanceAsOf(account, holder(), '2026-08-15', '2026-08-15').available).toBe(100);
  });

  // Worked example G18.
  test('counts pending requests, and is limited to granted days by the policy', () => {
    const account = createAccount();
    account.held = [...august, ...march];
    expect(replayLedger(account, holder(), today, april)).toMatchObject({ short: 100 });
    const strict = holder({ plan_ahead: false });
    expect(replayLedger(createAccount(), strict, today, march)).toMatchObject({
      short: 100,
      first_short_on: '2026-03-13',
    });
    expect(
      replayLedger(createAccount(), holder({ plan_ahead: false, allow_negative_to: 100 }), today, march),
    ).toBeUndefined();
  });
});
