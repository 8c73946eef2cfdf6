import { Day, encrypted, Id, inner, input, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { about, aboutInput, decided, Words } from '../../employees/employee-records/employee-record.schema.ts';
import { SalaryInput } from '../../employees/employees/employee-input.schema.ts';
import { NamedRow } from '../../employees/employees/employee.schema.ts';
import { Salary } from '../../employment/salary-components/salary.schema.ts';
import { promotionStates } from './promotion.rules.ts';

/** Promotion: a new designation from a given day, optionally with a new salary. */
export const Promotion = record({
  ...about,
  from_designation_id: Id.describe('ID of the previous designation. The current one until the change takes effect.'),
  from_designation: NamedRow.nullable().optional(),
  to_designation_id: Id,
  to_designation: NamedRow.nullable().optional(),
  salary: encrypted(inner(Salary.nullable(), 'employee.salary', { person: 'user_id' })),
  effective_date: Day,
  reason: z.string().nullable(),
  ...decided,
  allowed_actions: Actions(promotionStates),
}).meta({ id: 'Promotion' });

/** Promotion as create and update operations return it. */
export const WrittenPromotion = Promotion.omit({ employee: true, from_designation: true, to_designation: true }).meta({
  id: 'WrittenPromotion',
});

/** Promotion as other commands return it, without decrypted values. */
export const PlainPromotion = WrittenPromotion.omit({ salary: true }).meta({ id: 'PlainPromotion' });

const own = ['status', 'effective_date', 'to_designation_id', 'created_at'] as const;
const grammar = {
  sort: ['effective_date', 'created_at', 'updated_at'],
  order: '-created_at',
  expand: ['employee', 'from_designation', 'to_designation', 'salary'],
} as const;

export const PromotionFilter = list(Promotion, {
  ...grammar,
  search: searchedEmployee,
  filter: ['employee_id', ...own],
});
export const OwnPromotionFilter = list(Promotion, { ...grammar, filter: own });

export const PromotionInput = input({
  ...aboutInput,
  to_designation_id: refTo('designations').describe(
    "ID of the new designation, in the employee's department on the effective date.",
  ),
  salary: SalaryInput.optional().describe(
    'New salary from the effective date. Requires `employee.salary`, and so does the approval.',
  ),
  effective_date: Day.describe('First day of the change, from the joining date to a year ahead.'),
  reason: Words.optional(),
});

export const PromotionChanges = input({
  to_designation_id: refTo('designations').optional(),
  salary: SalaryInput.nullish(),
  effective_date: Day.optional(),
  reason: Words.nullish(),
  version,
});

export type PromotionInput = z.output<typeof PromotionInput>;
export type PromotionChanges = z.output<typeof PromotionChanges>;
