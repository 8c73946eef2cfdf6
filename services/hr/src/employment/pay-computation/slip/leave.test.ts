import { describe, expect, test } from '@jest/globals';
import { component, daysOf, input, june, monthly } from '../../../../test/pay-fixture.ts';
import type { Component } from '../facts/component.ts';
import type { PayInput, SettledLeave } from '../facts/input.ts';
import { arrearsOf } from './arrears.ts';
import { payslip } from './payslip.ts';
import { addsUp } from '../formula/working.ts';

const leave = (days: string, more: Partial<SettledLeave> = {}): SettledLeave => ({
  id: 'e1',
  on: '2026-06-15',
  days,
  salary: { basis: 'monthly', amount: '3000.00', weekly_hours: '40' },
  ...more,
});
const flat = component({ code: 'flat_tax', kind: 'deduction', calc: 'slab', slabs: [{ from: '0', rate: '10' }] });
const car = component({ code: 'car', kind: 'deduction', calc: 'fixed', amount: '200.00' });
const having = (...components: Component[]) => ({
  components,
  terms: [
    monthly(
      '3000.00',
      components.map(({ code }) => code),
    ),
  ],
});
const amounts = (lines: readonly { code: string; amount: string }[]) => lines.map(({ code, amount }) => [code, amount]);
const workingOf = (given: PayInput, code: string) => payslip(given).explain.find(({ component: of }) => of === code);
/** A period after the end of the employment. */
const after = june().map((day) => ({ ...day, employed: false }));

describe('leave days paid out', () => {
  test('are paid like days of the period, with their explanation', () => {
    const given = input({ facts: having(flat), carried: { leave: [leave('5.00')] } });
    const slip = payslip(given);
    expect(slip.earnings).toEqual([
      { code: 'basic', name: 'Basic salary', amount: '3000.00' },
      { code: 'leave_encashment', name: 'Leave paid out', amount: '714.29', of: 'e1', days: '5' },
    ]);
    expect(amounts(slip.deductions)).toEqual([['flat_tax', '371.43']]);
    expect(slip).toMatchObject({ gross: '3714.29', taxable: '3714.29', net: '3342.86' });
    expect(workingOf(given, 'leave_encashment')).toEqual({
      component: 'leave_encashment',
      of: 'e1',
      inputs: { salary: '3000', days: '5', working_days: '21' },
      steps: [{ text: 'round(3000.00 * 5 / 21, 2)', value: '714.29' }],
      result: '714.29',
    });
  });

  test.each<[string, Parameters<typeof input>[0] & object, SettledLeave, string]>([
    ['by calendar days, where pay counts by them', { facts: { settings: by('calendar') } }, leave('2.50'), '250.00'],
    ['at the salary of their day', {}, leave('2.00', { salary: monthly('2100.00') }), '200.00'],
    [
      'from an hourly salary by the hours of a week',
      {},
      leave('1.00', { salary: { basis: 'hourly', amount: '21.00', weekly_hours: '40' } }),
      '173.33',
    ],
    ['in whole yen', { facts: { currency: 'JPY' } }, leave('1.00', { salary: monthly('300000') }), '14286'],
    [
      'for a fortnight, by its part of the month',
      {
        facts: {
          days: daysOf('2026-06-15', '2026-06-28'),
          period: { start: '2026-06-15', end: '2026-06-28', frequency: 'fortnightly', regular: true },
        },
      },
      leave('1.00'),
      '138.46',
    ],
  ])('are paid %s', (_, changes, settled, amount) => {
    const slip = payslip(input({ ...changes, carried: { leave: [settled] } }));
    expect(slip.earnings.at(-1)).toMatchObject({ code: 'leave_encashment', amount });
  });

  test('are taxed as a one-off, not as pay for the rest of the year', () => {
    const slabs = [
      { from: '0', to: '36000', rate: '0' },
      { from: '36000', rate: '30' },
    ];
    const yearly = component({ code: 'yearly', kind: 'deduction', calc: 'slab', annual: true, slabs });
    const tax_year = { periods_left: 12, taxable: '0', paid: {} };
    const slip = payslip(input({ facts: having(yearly), carried: { tax_year, leave: [leave('7.00')] } }));
    expect(amounts(slip.deductions)).toEqual([['yearly', '300.00']]);
  });

  test('count for a contribution whose base includes them', () => {
    const fund = component({
      code: 'fund',
      kind: 'deduction',
      calc: 'percent_of_basic',
      percent: '10',
      pre_tax: true,
      base: ['basic', 'leave_encashment', 'leave_owed'],
    });
    const slip = payslip(input({ facts: having(fund), carried: { leave: [leave('7.00'), leave('-3.50')] } }));
    expect(amounts(slip.deductions)).toEqual([['fund', '350.00']]);
  });

  test('are paid without monthly amounts if the employee left before', () => {
    const facts = { ...having(flat, car), days: after };
    const slip = payslip(input({ facts, carried: { leave: [leave('5.00')] } }));
    expect(amounts([...slip.earnings, ...slip.deductions])).toEqual([
      ['leave_encashment', '714.29'],
      ['flat_tax', '71.43'],
    ]);
  });

  test('are taxed on the earnings of the year if the employee left before', () => {
    const slabs = [
      { from: '0', to: '6000', rate: '0' },
      { from: '6000', rate: '30' },
    ];
    const yearly = component({ code: 'yearly', kind: 'deduction', calc: 'slab', annual: true, slabs });
    const given = (taxable: string) =>
      input({
        facts: { ...having(yearly), days: after },
        carried: { tax_year: { periods_left: 7, taxable, paid: { yearly: '90.00' } }, leave: [leave('7.00')] },
      });
    expect(amounts(payslip(given('5500.00')).deductions)).toEqual([['yearly', '150.00']]);
    expect(amounts(payslip(given('1000.00')).deductions)).toEqual([['yearly', '0.00']]);
  });
});

function by(working_days_basis: PayInput['facts']['settings']['working_days_basis']) {
  return { working_days_basis, overtime_factor: '1.5', recovery_max_percent: 100 };
}

describe('excess days of leave', () => {
  test('are deducted from the gross pay, and so from the tax base', () => {
    const given = input({ facts: having(flat), carried: { leave: [leave('-3.00')] } });
    const slip = payslip(given);
    expect(slip.earnings.at(-1)).toEqual({
      code: 'leave_owed',
      name: 'Leave owed',
      amount: '-428.57',
      of: 'e1',
      days: '3',
    });
    expect(amounts(slip.deductions)).toEqual([['flat_tax', '257.14']]);
    expect(slip).toMatchObject({ gross: '2571.43', net: '2314.29', left_over: [] });
    expect(workingOf(given, 'leave_owed')?.steps).toEqual([
      { text: 'round(0 - 3000.00 * 3 / 21, 2)', value: '-428.57' },
    ]);
  });

  test('are carried over if there is not enough pay', () => {
    const slip = payslip(input({ facts: { ...having(flat), days: after }, carried: { leave: [leave('-3.00')] } }));
    expect(amounts(slip.earnings)).toEqual([
      ['leave_owed', '-428.57'],
      ['carried_over', '428.57'],
    ]);
    expect(slip).toMatchObject({ gross: '0.00', net: '0.00', left_over: [{ code: null, amount: '428.57' }] });
    expect(slip.explain.every(addsUp)).toBe(true);
  });
});

test('a later raise compensates for leave that was paid out', () => {
  const { facts, carried } = input({ carried: { leave: [leave('5.00')] } });
  const { earnings } = payslip({ facts, carried });
  const raised = { ...facts, terms: [monthly('3300.00')] };
  const past = { id: 's1', earnings, settled: [], leave: [leave('5.00', { salary: monthly('3300.00') })] };
  const found = arrearsOf(past, raised);
  expect(amounts(found)).toEqual([
    ['basic', '300.00'],
    ['leave_encashment', '71.42'],
  ]);
  const next = payslip(input({ facts: { terms: [monthly('3300.00')] }, carried: { one_offs: found } })).earnings;
  expect(next).toContainEqual(expect.objectContaining({ name: 'Leave paid out', amount: '71.42' }));
  expect(arrearsOf({ ...past, settled: next }, raised)).toEqual([]);
  expect(arrearsOf({ ...past, leave: carried.leave }, facts)).toEqual([]);
});
