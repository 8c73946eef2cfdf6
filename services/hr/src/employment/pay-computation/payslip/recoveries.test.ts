import { describe, expect, test } from '@jest/globals';
import { component, input, monthly } from '../../../../test/pay-input.ts';
import { type ComputedPayslip, calculatePayslip } from './payslip.ts';
import { addsUp } from '../formula/calculation.ts';

const amounts = (lines: ComputedPayslip['earnings']): [string, string][] =>
  lines.map(({ code, amount }) => [code, amount]);

describe('net', () => {
  const codes = ['pension', 'health', 'car'];
  const components = [
    component({ code: 'pension', kind: 'deduction', calc: 'percent_of_basic', percent: '9.3', pre_tax: true }),
    component({
      code: 'health',
      kind: 'deduction',
      calc: 'percent_of_basic',
      percent: '7.3',
      pre_tax: true,
      position: 2,
    }),
    component({ code: 'car', kind: 'deduction', calc: 'fixed', amount: '200.00' }),
  ];
  const payslipWithLowPay = (carried: NonNullable<Parameters<typeof input>[0]>['carried'], percent = 100) =>
    calculatePayslip(
      input({
        facts: {
          components,
          terms: [monthly('310.00', codes)],
          settings: { working_days_basis: 'calendar', overtime_factor: '1.5', recovery_max_percent: percent },
        },
        carried,
      }),
    );
  const loan = { id: 'l1', since: '2026-01-01', instalment: '150.00', left: '150.00' };

  test('is not negative: a loan deduction is limited to the remaining money', () => {
    const slip = payslipWithLowPay({ loans: [loan] });
    expect(amounts(slip.deductions)).toEqual([
      ['pension', '28.83'],
      ['health', '22.63'],
      ['car', '200.00'],
      ['loan', '58.54'],
    ]);
    expect([slip.net, slip.left_over]).toEqual(['0.00', []]);
  });

  test('leaves a remainder for an uncovered deduction, and recovers the oldest first', () => {
    const dear = components.map((each) => (each.code === 'car' ? { ...each, amount: '300.00' } : each));
    const slip = calculatePayslip(input({ facts: { components: dear, terms: [monthly('310.00', codes)] } }));
    expect([slip.net, slip.left_over]).toEqual(['0.00', [{ code: 'car', amount: '41.46' }]]);
    const recoveries = [
      { id: 'late', since: '2026-05-31', left: '50.00' },
      { id: 'early', since: '2026-04-30', left: '20.00' },
    ];
    const taken = payslipWithLowPay({ recoveries }).deductions.filter(({ of }) => of);
    expect(taken.map(({ of, amount }) => [of, amount])).toEqual([
      ['early', '20.00'],
      ['late', '38.54'],
    ]);
  });

  test('retains the share that recoveries may not use', () => {
    const slip = payslipWithLowPay({ recoveries: [{ id: 'r', since: '2026-04-30', left: '50.00' }] }, 50);
    expect(slip.deductions.at(-1)).toMatchObject({ of: 'r', amount: '29.27' });
    expect(slip.net).toBe('29.27');
  });

  test('is zero for negative earnings, and carries over the rest', () => {
    const slip = payslipWithLowPay({ one_offs: [{ id: 'o', code: 'basic', amount: '-500.00' }] });
    expect(slip).toMatchObject({ gross: '0.00', net: '0.00' });
    expect(slip.earnings.at(-1)).toMatchObject({ code: 'carried_over', amount: '190.00' });
    expect(slip.left_over).toEqual([
      { code: null, amount: '190.00' },
      { code: 'car', amount: '200.00' },
    ]);
    expect(slip.explain.every(addsUp)).toBe(true);
  });
});
