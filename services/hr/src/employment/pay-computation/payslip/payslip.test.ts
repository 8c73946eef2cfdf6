import { describe, expect, test } from '@jest/globals';
import { component, daysOf, input, june, monthly, exampleInput, workedComponents } from '../../../../test/pay-input.ts';
import { arrearsOf } from './arrears.ts';
import type { ComputedPayslip } from './payslip.ts';
import { calculatePayslip } from './payslip.ts';
import { addsUp } from '../formula/calculation.ts';

const amounts = (lines: ComputedPayslip['earnings']): [string, string][] =>
  lines.map(({ code, amount }) => [code, amount]);
const totalsOf = ({ gross, total_deductions, net, employer_cost }: ComputedPayslip) => ({
  gross,
  total_deductions,
  net,
  employer_cost,
});

describe('the example payslip', () => {
  const slip = calculatePayslip(exampleInput());

  test('pays 2,948.47 of 4,553.02 for 19.5 of 21 days', () => {
    expect([slip.working_days, slip.payment_days, slip.lop_days, slip.absent_days]).toEqual(['21', '19.5', '1', '0.5']);
    expect(Object.fromEntries(amounts(slip.earnings))).toEqual({
      basic: '3946.43',
      housing: '394.64',
      transport: '120.00',
      overtime: '91.95',
    });
    expect(amounts(slip.deductions)).toEqual([
      ['pension', '412.27'],
      ['health', '306.60'],
      ['income_tax', '720.68'],
      ['union', '15.00'],
      ['loan', '150.00'],
    ]);
    expect(amounts(slip.employer)).toEqual([
      ['pension_employer', '412.27'],
      ['health_employer', '306.60'],
      ['accident', '53.20'],
    ]);
    expect(totalsOf(slip)).toEqual({
      gross: '4553.02',
      total_deductions: '1604.55',
      net: '2948.47',
      employer_cost: '772.07',
    });
    expect([slip.taxable, slip.tax, slip.tax_by_code]).toEqual(['3714.15', '720.68', { income_tax: '720.68' }]);
  });

  test('explains every value, and the explanations add up', () => {
    const lines = [...slip.earnings, ...slip.deductions, ...slip.employer].map(({ code }) => code);
    const explained = slip.explain.map(({ component: code }) => code);
    expect(explained).toEqual(
      expect.arrayContaining([
        ...lines,
        'gross',
        'taxable',
        'taxable_full',
        'total_deductions',
        'employer_cost',
        'net',
      ]),
    );
    for (const each of slip.explain) expect([each.component, addsUp(each)]).toEqual([each.component, true]);
    expect(slip.explain.find(({ component: code }) => code === 'income_tax')).toEqual({
      component: 'income_tax',
      inputs: {
        periods_left: '7',
        taxable_so_far: '19668.1',
        tax_paid: '3650.44',
        taxable: '3714.15',
        taxable_once: '0',
        taxable_full: '3933.62',
      },
      steps: [
        { text: '19668.1 + 3714.15 + 6 * 3933.62', value: '46983.97' },
        { text: '(30000 - 12000) * 20 / 100 + (46983.97 - 30000) * 30 / 100', value: '8695.191' },
        { text: 'round(max((8695.191 - 3650.44) / 7, 0), 2)', value: '720.68' },
      ],
      result: '720.68',
    });
    expect(slip.explain.find(({ component: code }) => code === 'union')).toEqual({
      component: 'union',
      formula: 'min(basic * 0.005, 15)',
      inputs: { basic: '3946.43' },
      steps: [{ text: 'round(min(3946.43 * 0.005, 15), 2)', value: '15' }],
      result: '15.00',
    });
  });

  test('does not add up if a value is changed', () => {
    const [first] = slip.explain;
    expect(addsUp({ ...first!, result: '3946.44' })).toBe(false);
    expect(addsUp({ ...first!, steps: first!.steps.map((step) => ({ ...step, value: '3946.44' })) })).toBe(false);
  });

  test('applies the contributions and tax of June to arrears of May', () => {
    const arrears = { of_payroll_entry_id: 'may', now: '0', before: '0', settled: '0' };
    const oneOff = (code: string, amount: string) => ({
      id: code,
      code,
      amount,
      arrears: { ...arrears, now: amount },
    });
    const after = calculatePayslip(
      exampleInput({ carried: { one_offs: [oneOff('basic', '141.67'), oneOff('housing', '14.17')] } }),
    );
    expect(after.gross).toBe('4708.86');
    expect(Object.fromEntries(amounts(after.deductions))).toEqual({
      pension: '426.76',
      health: '306.60',
      income_tax: '763.08',
      union: '15.00',
      loan: '150.00',
    });
    expect(after.net).toBe('3047.42');
    expect(after.explain.every(addsUp)).toBe(true);
  });
});

// Worked example G14.
test('pays 2,529.65 of 2,942.86 for 18.5 of 21 days, after pension and flat tax', () => {
  const components = [
    component({ code: 'allowance', kind: 'earning', calc: 'fixed', amount: '300.00', prorated: false }),
    component({ code: 'pension', kind: 'deduction', calc: 'percent_of_basic', percent: '5', pre_tax: true }),
    component({ code: 'tax', kind: 'deduction', calc: 'slab', slabs: [{ from: '0', rate: '10' }] }),
  ];
  const slip = calculatePayslip(
    input({
      facts: {
        components,
        terms: [monthly('3000.00', ['allowance', 'pension', 'tax'])],
        days: june({
          '2026-06-10': { unpaid_leave: 2 },
          '2026-06-11': { unpaid_leave: 2 },
          '2026-06-12': { unpaid_leave: 1 },
        }),
      },
    }),
  );
  expect([slip.working_days, slip.payment_days]).toEqual(['21', '18.5']);
  expect([...amounts(slip.earnings), ...amounts(slip.deductions)]).toEqual([
    ['basic', '2642.86'],
    ['allowance', '300.00'],
    ['pension', '132.14'],
    ['tax', '281.07'],
  ]);
  expect(slip).toMatchObject({ gross: '2942.86', net: '2529.65' });
});

test.each<[0 | 1 | 2, 0 | 1 | 2, string[]]>([
  [1, 0, ['20.5', '0.5', '0']],
  [1, 1, ['20', '0.5', '0.5']],
  [1, 2, ['20', '0.5', '0.5']],
  [2, 2, ['20', '1', '0']],
  [0, 1, ['20.5', '0', '0.5']],
])('leaves each half unpaid once for %i of unpaid leave and %i absent', (unpaid_leave, absent, days) => {
  const slip = calculatePayslip(input({ facts: { days: june({ '2026-06-10': { unpaid_leave, absent } }) } }));
  expect([slip.payment_days, slip.lop_days, slip.absent_days]).toEqual(days);
});

describe('proration', () => {
  const basicOf = (facts: Parameters<typeof input>[0]) => calculatePayslip(input(facts)).earnings[0]!.amount;

  test('uses the salary of each day', () => {
    const terms = [monthly('3000.00'), monthly('3300.00', [], '2026-06-15')];
    expect(basicOf({ facts: { terms } })).toBe('3171.43');
    expect(basicOf({ facts: { terms: terms.toReversed() } })).toBe('3171.43');
  });

  test('pays an employee who joins within the month from their first day', () => {
    const days = june().map((day) => ({ ...day, employed: day.date >= '2026-06-10' }));
    expect(basicOf({ facts: { days } })).toBe('2142.86');
  });

  test('pays a week its share of the month', () => {
    const days = daysOf('2026-06-01', '2026-06-07');
    const period = { start: '2026-06-01', end: '2026-06-07', frequency: 'weekly' as const, regular: true };
    expect(basicOf({ facts: { days, period } })).toBe('692.31');
  });
});

test('calculates arrears of a retroactive raise for each earning', () => {
  const codes = ['housing', 'transport'];
  const components = workedComponents.filter(({ code }) => codes.includes(code));
  const days = daysOf('2026-05-01', '2026-05-31', {
    '2026-05-01': { holiday: 'paid' },
    '2026-05-14': { holiday: 'paid' },
    '2026-05-25': { holiday: 'paid' },
    '2026-05-20': { absent: 2 },
  });
  const period = { start: '2026-05-01', end: '2026-05-31', frequency: 'monthly' as const, regular: true };
  const before = input({ facts: { period, days, components, terms: [monthly('4250.00', codes)] } }).facts;
  const now = { ...before, terms: [...before.terms, monthly('4400.00', codes, '2026-05-01')] };
  const { earnings, payment_days, working_days } = calculatePayslip(input({ facts: before }));
  expect([payment_days, working_days]).toEqual(['17', '18']);
  const may = { id: 'may', earnings, leave: [] };
  const arrears = arrearsOf({ ...may, settled: [] }, now);
  expect(arrears.map(({ code, amount }) => [code, amount])).toEqual([
    ['basic', '141.67'],
    ['housing', '14.17'],
  ]);
  const settled = arrears.map(({ code, amount, arrears: of }) => ({
    code,
    name: code,
    amount,
    of: 'x',
    of_payroll_entry_id: of!.of_payroll_entry_id,
  }));
  expect(arrearsOf({ ...may, settled }, now)).toEqual([]);
  expect(arrearsOf({ ...may, settled }, before).map(({ amount }) => amount)).toEqual(['-141.67', '-14.17']);
});

describe('annual tax', () => {
  const december = (paid: string) =>
    calculatePayslip(
      exampleInput({ carried: { tax_year: { periods_left: 1, taxable: '40000.00', paid: { income_tax: paid } } } }),
    );

  test('refunds overpaid tax only in the last period', () => {
    expect(december('9000.00').tax_by_code).toEqual({ income_tax: '-1285.76' });
    const november = calculatePayslip(
      exampleInput({ carried: { tax_year: { periods_left: 2, taxable: '1000.00', paid: { income_tax: '9000.00' } } } }),
    );
    expect(november.tax_by_code).toEqual({ income_tax: '0.00' });
  });

  test('is calculated on the payments of an off-cycle run', () => {
    const period = { start: '2026-06-01', end: '2026-06-30', frequency: 'monthly' as const, regular: false };
    const bonus = component({ code: 'bonus', kind: 'earning', calc: 'fixed', one_off: true, position: 9 });
    const slip = calculatePayslip(
      exampleInput({
        facts: { period, components: [...workedComponents, bonus] },
        carried: { one_offs: [{ id: 'b', code: 'bonus', amount: '1000.00' }] },
      }),
    );
    expect(amounts(slip.earnings)).toEqual([['bonus', '1000.00']]);
    expect(amounts(slip.deductions).filter(([, amount]) => amount !== '0.00')).toEqual([['income_tax', '300.00']]);
    expect(slip.net).toBe('700.00');
  });
});

test('pays hours at the hourly rate, and overtime by its factor', () => {
  const days = june({
    '2026-06-01': { worked_minutes: 480 },
    '2026-06-02': { worked_minutes: 470, overtime_minutes: 50 },
  });
  const terms = [{ from: '2020-01-01', basis: 'hourly' as const, amount: '21.50', weekly_hours: '40', components: [] }];
  const slip = calculatePayslip(input({ facts: { days, terms } }));
  expect(amounts(slip.earnings)).toEqual([
    ['basic', '340.42'],
    ['overtime', '26.88'],
  ]);
});
