import {
  choice,
  Day,
  Id,
  foreignId,
  input,
  MoneyOut,
  Money,
  Name,
  QtyOut,
  record,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { componentActions } from './component.rules.ts';

const Kind = choice('earning', 'deduction', 'employer');
const Calc = choice('fixed', 'percent_of_basic', 'formula', 'slab');

const CODE = 'Use only a-z and underscores.';
const Code = z
  .string()
  .trim()
  .max(50)
  .regex(/^[a-z_]+$/, CODE)
  .meta({ example: 'housing' });

const PERCENT = 'Enter a percentage as a decimal string such as "9.3", with at most six decimals.';
const Percent = z
  .string(PERCENT)
  .regex(/^\d{1,4}(\.\d{1,6})?$/, PERCENT)
  .meta({ example: '9.3' });

const SlabInput = input({
  from: Money,
  to: Money.nullish().describe('Upper limit. Only the last bracket can omit it.'),
  rate: Percent.refine((rate) => Number(rate) <= 100, 'A bracket can deduct at most 100 %.'),
});
const Slab = z
  .object({
    from: MoneyOut,
    to: MoneyOut.nullable(),
    rate: QtyOut.describe('Share of the income in this bracket, in percent.'),
  })
  .meta({ id: 'SalarySlab' });

/** Terms of a component in the response format. */
const terms = {
  calc: Calc,
  position: z.int().describe('Position in the order of calculation: earnings, contributions, taxes, deductions.'),
  taxable: z.boolean(),
  prorated: z.boolean().describe('Whether the amount is prorated to the paid days.'),
  amount: MoneyOut.nullable().describe('Amount per month, unless the salary has its own.'),
  percent: QtyOut.nullable().describe('Percentage of the base, unless the salary has its own.'),
  formula: z.string().nullable(),
  slabs: z.array(Slab).nullable(),
  ceiling: MoneyOut.nullable().describe('Maximum monthly base that the calculation uses.'),
  base: z
    .array(z.string())
    .describe('Codes whose sum is the base. Empty for the earned basic salary, or for the taxable pay of a tax.'),
  pre_tax: z.boolean().describe('Whether the deduction reduces the taxable income.'),
  one_off: z.boolean().describe('Whether the component is paid only as a one-off of a payroll run.'),
  annual: z.boolean().describe('Whether the brackets apply to the whole tax year.'),
};

const Version = z.object({ effective_from: Day, ...terms }).meta({ id: 'SalaryComponentVersion' });

/** Salary component with its terms of today or of the requested day. */
export const SalaryComponent = record({
  code: z.string(),
  name: z.string(),
  kind: Kind,
  active: z.boolean().describe('Whether the component can be selected in new records.'),
  account_id: Id.nullable().describe('ID of the ledger account. `null` for the default one.'),
  effective_from: Day.describe('First day of these rules.'),
  ...terms,
  versions: z.array(Version).optional(),
  allowed_actions: Actions(componentActions),
}).meta({ id: 'SalaryComponent' });

export const SalaryComponentFilter = list(SalaryComponent, {
  filter: ['code', 'name', 'kind', 'calc', 'active', 'taxable', 'pre_tax', 'one_off', 'created_at', 'updated_at'],
  sort: ['code', 'name', 'position', 'created_at', 'updated_at'],
  order: 'code',
  search: true,
  expand: ['versions'],
  also: {
    as_of: Day.optional().describe('Returns the rules of this day. Components that begin later are not included.'),
  },
});

const FORMULA_MAX = 1_000;
const optional = {
  taxable: z.boolean().optional(),
  prorated: z.boolean().optional(),
  amount: Money.nullish(),
  percent: Percent.nullish(),
  formula: z.string().trim().max(FORMULA_MAX).nullish(),
  slabs: z.array(SlabInput).min(1, 'Enter at least one bracket.').max(50).nullish(),
  ceiling: Money.nullish(),
  base: z
    .array(Code)
    .max(100)
    .refine((codes) => new Set(codes).size === codes.length, 'Enter each code only once.')
    .optional(),
  pre_tax: z.boolean().optional(),
  one_off: z.boolean().optional(),
  annual: z.boolean().optional(),
};
const Position = z.int().min(0).max(9_999);
const Account = foreignId('finance.gl_account').nullish();

export const SalaryComponentInput = input({
  code: Code,
  name: Name,
  kind: Kind,
  calc: Calc,
  position: Position.optional().describe('Defaults to the last position.'),
  ...optional,
  account_id: Account,
  active: z.boolean().default(true),
  effective_from: Day.optional().describe('First day of the rules. Defaults to all past days.'),
});

export const SalaryComponentChanges = input({
  code: Code.optional().describe('Writable until the component is in use.'),
  name: Name.optional(),
  kind: Kind.optional().describe('Writable until the component is in use.'),
  calc: Calc.optional(),
  position: Position.optional(),
  ...optional,
  account_id: Account,
  active: z.boolean().optional(),
  effective_from: Day.optional().describe(
    'First day of the change, at most a year ahead. Defaults to today, or to the current first day while the component is unused.',
  ),
  version,
});

const VALUE = 'Enter a value as a decimal string such as "4250.00".';
export const FormulaTrial = input({
  formula: z.string().trim().max(FORMULA_MAX),
  example: z
    .record(z.string().max(50), z.string(VALUE).regex(/^-?\d{1,15}(\.\d{1,10})?$/, VALUE))
    .default({})
    .describe('Values of the names in the formula. Omitted values default to zero.'),
});

/** Result of a formula test. */
export const TriedFormula = z
  .object({
    value: z.string().describe('Result as on a payslip in base currency.'),
    inputs: z.record(z.string(), z.string()),
    steps: z.array(z.object({ text: z.string(), value: z.string() })),
  })
  .meta({ id: 'TriedFormula' });

export type SalaryComponentInput = z.output<typeof SalaryComponentInput>;
export type SalaryComponentChanges = z.output<typeof SalaryComponentChanges>;
export type FormulaTrial = z.output<typeof FormulaTrial>;
