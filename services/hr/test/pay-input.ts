/** Fixture of the payroll calculation: inputs of June 2026, including the example payslip (docs/worked-examples.md). */
import type { PayComponent } from '../src/employment/pay-computation/facts/component.ts';
import type { PayDay } from '../src/employment/pay-computation/facts/days.ts';
import type { CarriedPay, PeriodFacts, PayInput, PayTerms } from '../src/employment/pay-computation/facts/input.ts';

/** Returns the calendar days of a period, with work from Monday to Friday and without absences. */
export function daysOf(start: string, end: string, changes: Readonly<Record<string, Partial<PayDay>>> = {}): PayDay[] {
  const days: PayDay[] = [];
  for (let at = new Date(start); at <= new Date(end); at = new Date(at.getTime() + 86_400_000)) {
    const date = at.toISOString().slice(0, 10);
    days.push({
      date,
      employed: true,
      weekly_off: at.getUTCDay() === 0 || at.getUTCDay() === 6,
      holiday: 'none',
      unpaid_leave: 0,
      absent: 0,
      worked_minutes: 0,
      overtime_minutes: 0,
      ...changes[date],
    });
  }
  return days;
}

/** June 2026: 22 weekdays, one of them a holiday. */
export const june = (changes: Readonly<Record<string, Partial<PayDay>>> = {}): PayDay[] =>
  daysOf('2026-06-01', '2026-06-30', { '2026-06-04': { holiday: 'paid' }, ...changes });

/** Creates a component from the relevant fields. */
export const component = (
  given: Pick<PayComponent, 'code' | 'kind' | 'calc'> & Partial<PayComponent>,
): PayComponent => ({
  name: given.code,
  position: 1,
  taxable: true,
  prorated: given.kind === 'earning' && given.calc !== 'formula',
  base: [],
  pre_tax: false,
  one_off: false,
  annual: false,
  ...given,
});

export const monthly = (amount: string, codes: readonly string[] = [], from = '2020-01-01'): PayTerms => ({
  from,
  basis: 'monthly',
  amount,
  weekly_hours: '40',
  components: codes.map((code) => ({ code })),
});

/** Changes to an input. */
export interface InputChanges {
  facts?: Partial<PeriodFacts>;
  carried?: Partial<CarriedPay>;
}

/** Creates an input of June 2026 from the relevant changes. */
export const input = ({ facts = {}, carried = {} }: InputChanges = {}): PayInput => ({
  facts: {
    person: { id: 'e1', dob: '1990-07-01', joining_date: '2020-01-01' },
    period: { start: '2026-06-01', end: '2026-06-30', frequency: 'monthly', regular: true },
    currency: 'EUR',
    settings: { working_days_basis: 'weekdays_less_holidays', overtime_factor: '1.5', recovery_max_percent: 100 },
    days: june(),
    terms: [monthly('3000.00')],
    components: [],
    ...facts,
  },
  carried: {
    one_offs: [],
    leave: [],
    tax_year: { periods_left: 7, taxable: '0', paid: {} },
    recoveries: [],
    loans: [],
    ...carried,
  },
});

const SOCIAL = ['basic', 'housing', 'overtime'];
const percent = (code: string, kind: 'deduction' | 'employer', rate: string, ceiling?: string): PayComponent =>
  component({ code, kind, calc: 'percent_of_basic', percent: rate, base: SOCIAL, pre_tax: true, ceiling });

/**
 * Components of the example payslip: housing of 10 %, transport of 120.00, pension of 9.3 % and health of 7.3 %, also
 * of the employer, accident of 1.2 %, income tax in slabs, and the union.
 */
export const workedComponents: readonly PayComponent[] = [
  component({ code: 'housing', kind: 'earning', calc: 'percent_of_basic', percent: '10', position: 1 }),
  component({
    code: 'transport',
    kind: 'earning',
    calc: 'fixed',
    amount: '120.00',
    position: 2,
    taxable: false,
    prorated: false,
  }),
  { ...percent('pension', 'deduction', '9.3', '8450.00'), position: 1 },
  { ...percent('health', 'deduction', '7.3', '4200.00'), position: 2 },
  { ...percent('pension_employer', 'employer', '9.3', '8450.00'), position: 3 },
  { ...percent('health_employer', 'employer', '7.3', '4200.00'), position: 4 },
  { ...percent('accident', 'employer', '1.2'), position: 5 },
  component({
    code: 'income_tax',
    kind: 'deduction',
    calc: 'slab',
    annual: true,
    slabs: [
      { from: '0', to: '12000', rate: '0' },
      { from: '12000', to: '30000', rate: '20' },
      { from: '30000', to: '60000', rate: '30' },
      { from: '60000', to: null, rate: '42' },
    ],
  }),
  component({ code: 'union', kind: 'deduction', calc: 'formula', formula: 'min(basic * 0.005, 15)' }),
];

/**
 * Returns the input of the example payslip: 4,250.00 a month, 19.5 of 21 days, 150 minutes of overtime, and a loan with
 * instalments of 150.00.
 */
export const exampleInput = ({ facts = {}, carried = {} }: InputChanges = {}): PayInput =>
  input({
    facts: {
      days: june({
        '2026-06-10': { unpaid_leave: 2 },
        '2026-06-11': { absent: 1 },
        '2026-06-16': { overtime_minutes: 150 },
      }),
      terms: [
        monthly(
          '4250.00',
          workedComponents.map(({ code }) => code),
        ),
      ],
      components: workedComponents,
      ...facts,
    },
    carried: {
      tax_year: { periods_left: 7, taxable: '19668.10', paid: { income_tax: '3650.44' } },
      loans: [{ id: 'l1', since: '2026-01-01', instalment: '150.00', left: '900.00' }],
      ...carried,
    },
  });
