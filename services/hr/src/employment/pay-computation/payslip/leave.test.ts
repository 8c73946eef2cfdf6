import { describe, expect, test } from '@jest/globals';
import { component, daysOf, input, june, monthly } from '../../../../test/pay-input.ts';
import type { PayComponent } from '../facts/component.ts';
import type { PayInput, SettledLeave } from '../facts/input.ts';
import { arrearsOf } from './arrears.ts';
import { calculatePayslip } from './payslip.ts';
import { addsUp } from '../formula/calculation.ts';

const settledLeave = (days: string, more: Partial<SettledLeave> = {}): SettledLeave => ({
  id: 'e1',
  on: '2026-06-15',
  days,
  salary: { basis: 'monthly', amount: '3000.00', weekly_hours: '40' },
  ...more,
});
const flat = component({ code: 'flat_tax', kind: 'deduction', calc: 'slab', slabs: [{ from: '0', rate: '10' }] });
const car = component({ code: 'car', kind: 'deduction', calc: 'fixed', amount: '200.00' });
const factsWith = (...components: PayComponent[]) => ({
  components,
  terms: [
    monthly(
      '3000.00',
      components.map(({ code }) => code),
    ),
  ],
});
const amounts = (lines: readonly { code: string; amount: string }[]) => lines.map(({ code, amount }) => [code, amount]);
const explanationOf = (payInput: PayInput, code: string) =>
  calculatePayslip(payInput).explain.find(({ component: of }) => of === code);
/** A period after the end of the employment. */
const after = june().map((day) => ({ ...day, employed: false }));

describe('leave days paid out', () => {
  test('are paid like days of the period, with their explanation', () => {
    const payInput = input({ facts: factsWith(flat), carried: { leave: [settledLeave('5.00')] } });
    const slip = calculatePayslip(payInput);
    expect(slip.earnings).toEqual([
      { code: 'basic', name: 'Basic salary', amount: '3000.00' },
      { code: 'leave_encashment', name: 'Leave paid out', amount: '714.29', of: 'e1', days: '5' },
    ]);
    expect(amounts(slip.deductions)).toEqual([['flat_tax', '371.43']]);
    expect(slip).toMatchObject({ gross: '3714.29', taxable: '3714.29', net: '3342.86' });
    expect(explanationOf(payInput, 'leave_encashment')).toEqual({
      component: 'leave_encashment',
      of: 'e1',
      inputs: { salary: '3000', days: '5', working_days: '21' },
      steps: [{ text: 'round(3000.00 * 5 / 21, 2)', value: '714.29' }],
      result: '714.29',
    });
  });

  test.each<[string, Parameters<typeof input>[0] & object, SettledLeave, string]>([
    [
      'by calendar days, where pay counts by them',
      { facts: { settings: settingsWithBasis('calendar') } },
      settledLeave('2.50'),
      '250.00',
    ],
    ['at the salary of their day', {}, settledLeave('2.00', { salary: monthly('2100.00') }), '200.00'],
    [
      'from an hourly salary by the hours of a week',
      {},
      settledLeave('1.00', { salary: { basis: 'hourly', amount: '21.00', weekly_hours: '40' } }),
      '173.33',
    ],
    ['in whole yen', { facts: { currency: 'JPY' } }, settledLeave('1.00', { salary: monthly('300000') }), '14286'],
    [
      'for a fortnight, by its part of the month',
      {
        facts: {
          days: daysOf('2026-06-15', '2026-06-28'),
          period: { start: '2026-06-15', end: '2026-06-28', frequency: 'fortnightly', regular: true },
        },
      },
      settledLeave('1.00'),
      '138.46',
    ],
  ])('are paid %s', (_, changes, settled, amount) => {
    const slip = calculatePayslip(input({ ...changes, carried: { leave: [settled] } }));
    expect(slip.earnings.at(-1)).toMatchObject({ code: 'leave_encashment', amount });
  });

  test('are taxed as a one-off, not as pay for the rest of the year', () => {
    const slabs = [
      { from: '0', to: '36000', rate: '0' },
      { from: '36000', rate: '30' },
    ];
    const yearly = component({ code: 'yearly', kind: 'deduction', calc: 'slab', annual: true, slabs });
    const tax_year = { periods_left: 12, taxable: '0', paid: {} };
    const slip = calculatePayslip(
      input({ facts: factsWith(yearly), carried: { tax_year, leave: [settledLeave('7.00')] } }),
    );
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
    const slip = calculatePayslip(
      input({ facts: factsWith(fund), carried: { leave: [settledLeave('7.00'), settledLeave('-3.50')] } }),
    );
    expect(amounts(slip.deductions)).toEqual([['fund', '350.00']]);
  });

  test('are paid without monthly amounts if the employee left before', () => {
    const facts = { ...factsWith(flat, car), days: after };
    const slip = calculatePayslip(input({ facts, carried: { leave: [settledLeave('5.00')] } }));
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
    const inputWithTaxable = (taxable: string) =>
      input({
        facts: { ...factsWith(yearly), days: after },
        carried: { tax_year: { periods_left: 7, taxable, paid: { yearly: '90.00' } }, leave: [settledLeave('7.00')] },
      });
    expect(amounts(calculatePayslip(inputWithTaxable('5500.00')).deductions)).toEqual([['yearly', '150.00']]);
    expect(amounts(calculatePayslip(inputWithTaxable('1000.00')).deductions)).toEqual([['yearly', '0.00']]);
  });
});

function settingsWithBasis(working_days_basis: PayInput['facts']['settings']['working_days_basis']) {
  return { working_days_basis, overtime_factor: '1.5', recovery_max_percent: 100 };
}

describe('excess days of leave', () => {
  test('are deducted from the gross pay, and so from the tax base', () => {
    const payInput = input({ facts: factsWith(flat), carried: { leave: [settledLeave('-3.00')] } });
    const slip = calculatePayslip(payInput);
    expect(slip.earnings.at(-1)).toEqual({
      code: 'leave_owed',
      name: 'Leave owed',
      amount: '-428.57',
      of: 'e1',
      days: '3',
    });
    expect(amounts(slip.deductions)).toEqual([['flat_tax', '257.14']]);
    expect(slip).toMatchObject({ gross: '2571.43', net: '2314.29', left_over: [] });
    expect(explanationOf(payInput, 'leave_owed')?.steps).toEqual([
      { text: 'round(0 - 3000.00 * 3 / 21, 2)', value: '-428.57' },
    ]);
  });

  test('are carried over if there is not enough pay', () => {
    const slip = calculatePayslip(
      input({ facts: { ...factsWith(flat), days: after }, carried: { leave: [settledLeave('-3.00')] } }),
    );
    expect(amounts(slip.earnings)).toEqual([
      ['leave_owed', '-428.57'],
      ['carried_over', '428.57'],
    ]);
    expect(slip).toMatchObject({ gross: '0.00', net: '0.00', left_over: [{ code: null, amount: '428.57' }] });
    expect(slip.explain.every(addsUp)).toBe(true);
  });
});

test('compensates for paid-out leave by a later raise', () => {
  const { facts, carried } = input({ carried: { leave: [settledLeave('5.00')] } });
  const { earnings } = calculatePayslip({ facts, carried });
  const raised = { ...facts, terms: [monthly('3300.00')] };
  const past = { id: 's1', earnings, settled: [], leave: [settledLeave('5.00', { salary: monthly('3300.00') })] };
  const found = arrearsOf(past, raised);
  expect(amounts(found)).toEqual([
    ['basic', '300.00'],
    ['leave_encashment', '71.42'],
  ]);
  const next = calculatePayslip(
    input({ facts: { terms: [monthly('3300.00')] }, carried: { one_offs: found } }),
  ).earnings;
  expect(next).toContainEqual(expect.objectContaining({ name: 'Leave paid out', amount: '71.42' }));
  expect(arrearsOf({ ...past, settled: next }, raised)).toEqual([]);
  expect(arrearsOf({ ...past, leave: carried.leave }, facts)).toEqual([]);
});
