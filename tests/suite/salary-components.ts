/** Salary components of the worked payslips (docs/worked-examples.md), with the names used in the ledger. */

const SOCIAL = ['basic', 'housing', 'overtime'];

interface Share {
  code: string;
  name: string;
  percent: string;
  position: number;
  ceiling?: string;
}
const share = (of: Share) => ({ calc: 'percent_of_basic', base: SOCIAL, ...of });
const kept = (of: Share) => ({ kind: 'deduction', pre_tax: true, ...share(of) });
const onTop = (of: Share) => ({ kind: 'employer', ...share(of) });

/** Components of the example payslip: housing, transport, pension, health, accident, income tax in slabs, and union. */
export const EXAMPLE_COMPONENTS = [
  { code: 'housing', name: 'Housing', kind: 'earning', calc: 'percent_of_basic', percent: '10', position: 1 },
  {
    code: 'transport',
    name: 'Transport',
    kind: 'earning',
    calc: 'fixed',
    amount: '120.00',
    position: 2,
    taxable: false,
    prorated: false,
  },
  kept({ code: 'pension', name: 'Pension', percent: '9.3', position: 1, ceiling: '8450.00' }),
  kept({ code: 'health', name: 'Health', percent: '7.3', position: 2, ceiling: '4200.00' }),
  onTop({ code: 'pension_employer', name: 'Pension', percent: '9.3', position: 3, ceiling: '8450.00' }),
  onTop({ code: 'health_employer', name: 'Health', percent: '7.3', position: 4, ceiling: '4200.00' }),
  onTop({ code: 'accident', name: 'Accident', percent: '1.2', position: 5 }),
  {
    code: 'income_tax',
    name: 'Income tax',
    kind: 'deduction',
    calc: 'slab',
    annual: true,
    position: 1,
    slabs: [
      { from: '0', to: '12000', rate: '0' },
      { from: '12000', to: '30000', rate: '20' },
      { from: '30000', to: '60000', rate: '30' },
      { from: '60000', rate: '42' },
    ],
  },
  {
    code: 'union_fee',
    name: 'Union',
    kind: 'deduction',
    calc: 'formula',
    formula: 'min(basic * 0.005, 15)',
    position: 1,
  },
];

/** Components of worked example G14: an allowance of 300.00, pension of 5 % of the basic salary, and tax of 10 %. */
export const FLAT_TAX_COMPONENTS = [
  {
    code: 'allowance_flat',
    name: 'Allowance',
    kind: 'earning',
    calc: 'fixed',
    amount: '300.00',
    prorated: false,
    position: 1,
  },
  { ...kept({ code: 'pension_flat', name: 'Pension', percent: '5', position: 1 }), base: ['basic'] },
  {
    code: 'tax_flat',
    name: 'Income tax',
    kind: 'deduction',
    calc: 'slab',
    slabs: [{ from: '0', rate: '10' }],
    position: 1,
  },
];
