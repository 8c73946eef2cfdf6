import { Currency, choice, Id, list, BaseMoneyOut, record, Timestamp } from '@suite/chassis';
import { z } from 'zod';
import { SYSTEM_ROLES } from '../books/seeded-chart.ts';

/** A kind of account. */
export const AccountType = record({
  code: z.string(),
  name: z.string(),
  class: choice('asset', 'liability', 'equity', 'revenue', 'expense'),
  normal: choice('debit', 'credit').describe('The side on which its accounts grow.'),
  system: z.boolean(),
}).meta({ id: 'AccountType' });

export const AccountTypeFilter = list(AccountType, {
  filter: ['code', 'name', 'class', 'updated_at'],
  sort: ['code', 'name', 'created_at'],
  search: true,
});

/** An account of the ledger that takes lines. */
export const GlAccount = record({
  code: z.string(),
  name: z.string(),
  type_id: Id,
  parent_id: Id.nullable(),
  currency: Currency.nullable(),
  system_role: choice(...SYSTEM_ROLES).nullable(),
  active: z.boolean(),
  balance: BaseMoneyOut.describe('In base currency, on the side on which accounts of its type grow.'),
  type: z.object({ id: Id, code: z.string(), name: z.string(), class: z.string(), normal: z.string() }).optional(),
}).meta({ id: 'GlAccount' });

export const GlAccountFilter = list(GlAccount, {
  filter: ['code', 'name', 'type_id', 'parent_id', 'currency', 'system_role', 'active', 'updated_at'],
  sort: ['code', 'name', 'created_at'],
  search: true,
  expand: ['type'],
});

/** An account in the chart, without what is below it. */
const ChartAccount = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  class: z.string(),
  is_group: z.boolean(),
  currency: Currency.nullable(),
  system_role: z.string().nullable(),
  active: z.boolean(),
  balance: BaseMoneyOut.describe('In base currency. For a group, the balance of all accounts below it.'),
  updated_at: Timestamp,
});

export type ChartNode = z.input<typeof ChartAccount> & { accounts: ChartNode[] };

/** An account with those below it. */
export const ChartNode: z.ZodType<ChartNode, ChartNode> = ChartAccount.extend({
  accounts: z.array(z.lazy(() => ChartNode)),
}).meta({ id: 'ChartNode' });
