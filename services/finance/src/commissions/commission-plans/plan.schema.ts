import {
  BusinessDay,
  choice,
  Day,
  input,
  Money,
  MoneyOut,
  Name,
  PlannedDay,
  QtyOut,
  record,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { planActions } from './plan.rules.ts';

const PERCENT = 'Enter a percentage from 0 to 100 as a decimal string such as "2.5".';
const Percent = z
  .string(PERCENT)
  .regex(/^(100(\.0{1,6})?|\d{1,2}(\.\d{1,6})?)$/, PERCENT)
  .meta({ example: '5' });

const Type = choice('percent', 'fixed', 'tiered', 'hybrid');
const Base = choice('gross', 'net', 'margin');
const Trigger = choice('posting', 'payment');

/** Rate in a response. */
export const RateOut = QtyOut.nullable();

/** Commission plan: the rule that determines what agents earn on their sales. */
export const CommissionPlan = record({
  name: z.string(),
  type: Type,
  base: Base.describe('Base of the commission: the total, the net total, or the net total less cost.'),
  trigger: Trigger.describe('Whether the commission is earned on posting or on payment of the invoice.'),
  rate: RateOut.describe('Rate in percent of the base. `null` for other types.'),
  fixed_amount: MoneyOut.nullable().describe('Fixed amount per sale, in base currency like all amounts of a plan.'),
  tiers: z
    .array(z.object({ up_to: MoneyOut.nullable(), rate: QtyOut }))
    .nullable()
    .describe('Tiers. Each rate applies to the part of the base between the previous limit and its own.'),
  min: MoneyOut.nullable().describe('Minimum commission per sale.'),
  max: MoneyOut.nullable().describe('Maximum commission per sale.'),
  valid_from: Day.nullable(),
  valid_to: Day.nullable(),
  active: z.boolean(),
  allowed_actions: Actions(planActions),
}).meta({ id: 'CommissionPlan' });

export const CommissionPlanFilter = list(CommissionPlan, {
  filter: [
    ...(['name', 'type', 'base', 'trigger', 'valid_from', 'valid_to', 'active'] as const),
    ...(['created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});

const TierInput = z.strictObject({
  up_to: Money.nullable().describe('Upper limit of the tier. `null` for the last one.'),
  rate: Percent,
});

const terms = {
  base: Base,
  trigger: Trigger,
  rate: Percent.nullable().describe('Rate in percent, for the types `percent` and `hybrid`.'),
  fixed_amount: Money.nullable().describe('Fixed amount per sale, for the types `fixed` and `hybrid`.'),
  tiers: z
    .array(TierInput)
    .min(1)
    .max(20)
    .nullable()
    .describe('Tiers, for the type `tiered`, or for `hybrid` in place of `rate`.'),
  min: Money.nullable(),
  max: Money.nullable(),
  valid_from: BusinessDay.nullable().describe('First invoice date that the plan applies to.'),
  valid_to: PlannedDay.nullable().describe('First day on which the plan no longer applies.'),
};
const { base, trigger, ...details } = z.object(terms).partial().shape;

export const CommissionPlanInput = input({
  name: Name,
  type: Type,
  base: terms.base.default('net'),
  trigger: terms.trigger.default('posting'),
  ...details,
}).meta({ example: { name: 'Five percent', type: 'percent', base: 'net', trigger: 'posting', rate: '5' } });

export const CommissionPlanChanges = input({
  name: Name.optional(),
  type: Type.optional(),
  base,
  trigger,
  ...details,
  active: z
    .boolean()
    .optional()
    .describe('`false` deactivates the plan: agents no longer earn commissions under the plan.'),
  version,
}).meta({ example: { name: 'Six percent', rate: '6' } });

export type CommissionPlanInput = z.output<typeof CommissionPlanInput>;
export type CommissionPlanChanges = z.output<typeof CommissionPlanChanges>;
