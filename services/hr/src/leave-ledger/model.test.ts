/** The ledger against a model that lives through the year day by day, and knows of no ledger. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type LeaveDay, openAccount, post, takingsOf } from './account.rules.ts';
import { balanceAsOf } from './balance.rules.ts';
import { plusDays } from './calendar.rules.ts';
import type { Holder } from './settlement.rules.ts';
import { settle } from './settlement.rules.ts';
import { restoreAll, takeAll, walk } from './walk.rules.ts';

const TODAY = '2026-01-01';
const dayOf = (at: number) => plusDays(TODAY, at);

const holder = (days_per_year: number): Holder => ({
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

/** Lives through the days of a year: each day grants, spends what expires first, and notes what is there and what is missing. */
function live(granted: readonly { days: number; from: number; to: number }[], spent: ReadonlyMap<number, number>) {
  const purse: { to: number; left: number; from: number; at: number }[] = [];
  const there: number[] = [];
  let isShort = false;
  for (let day = 0; day < 365; day += 1) {
    granted.forEach(({ days, from, to }, at) => {
      if (from === day) purse.push({ to, left: days, from, at });
    });
    const valid = purse
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

describe('a ledger', () => {
  test('grants what a year lived day by day would grant, whatever the order of the requests', () => {
    fc.assert(
      fc.property(lots, requests, fc.constantFrom(0, 600, 1_200, 2_400), (given, asked, days_per_year) => {
        const terms = holder(days_per_year);
        const account = openAccount([]);
        const granted = given.map(({ days, from, length }) => ({
          days: days * 50,
          from,
          to: Math.min(from + length, 364),
        }));
        for (const { days, from, to } of granted)
          post(account, { kind: 'adjustment', days, valid_from: dayOf(from), valid_to: dayOf(to) });
        settle(account, terms, { until: TODAY });
        const firsts = Array.from({ length: 365 }, (_, at) => at).filter((at) => dayOf(at).endsWith('-01'));
        const all = [...granted, ...firsts.map((from) => ({ days: days_per_year / 12, from, to: 364 }))];
        const spent = new Map<number, number>();
        for (const { at, halves } of asked) {
          const leave: LeaveDay = { application_id: String(at), day: dayOf(at), days: halves * 50 };
          const short = live(all, new Map([...spent, [at, leave.days]])).isShort;
          expect(walk(account, terms, TODAY, [leave]) !== undefined).toBe(short);
          if (short) continue;
          spent.set(at, leave.days);
          takeAll(account, TODAY, [leave]);
        }
        settle(account, terms, { until: '2026-12-31' });
        expect(takingsOf(account).some(({ charges }) => charges.has(null))).toBe(false);
        const { there } = live(all, spent);
        expect(balanceAsOf(account, terms, '2026-12-31', '2026-12-31').available).toBe(there[364]);
        for (const { left, granted: most } of account.lots) expect(left >= 0 && left <= most).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('is as before when everything is given back that was taken', () => {
    fc.assert(
      fc.property(lots, requests, (given, asked) => {
        const account = openAccount([]);
        for (const { days, from, length } of given)
          post(account, {
            kind: 'adjustment',
            days: days * 50,
            valid_from: dayOf(from),
            valid_to: dayOf(from + length),
          });
        const before = account.lots.map(({ left }) => left);
        for (const { at } of asked)
          takeAll(account, TODAY, [{ application_id: String(at), day: dayOf(at), days: 100 }]);
        for (const { at } of asked) restoreAll(account, String(at));
        expect(account.lots.map(({ left }) => left)).toEqual(before);
        expect(takingsOf(account)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
