import { Currency, choice, Id, BaseMoneyOut, record, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { SYSTEM_ROLES } from '../books/seeded-chart.ts';

/** Account type. */
export const AccountType = record({
  code: z.string(),
  name: z.string(),
  class: choice('asset', 'liability', 'equity', 'revenue', 'expense'),
  normal: choice('debit', 'credit').describe('Side that increases accounts of this type: `debit` or `credit`.'),
  system: z.boolean(),
}).meta({ id: 'AccountType' });

export const AccountTypeFilter = list(AccountType, {
  filter: ['code', 'name', 'class', 'updated_at'],
  sort: ['code', 'name', 'created_at'],
  search: true,
});

/** Ledger account that allows journal lines. */
export const GlAccount = record({
  code: z.string(),
  name: z.string(),
  type_id: Id,
  parent_id: Id.nullable(),
  currency: Currency.nullable(),
  system_role: choice(...SYSTEM_ROLES).nullable(),
  active: z.boolean(),
  balance: BaseMoneyOut.describe('Balance in base currency, on the normal side of the account type.'),
  type: z.object({ id: Id, code: z.string(), name: z.string(), class: z.string(), normal: z.string() }).optional(),
}).meta({ id: 'GlAccount' });

export const GlAccountFilter = list(GlAccount, {
  filter: ['code', 'name', 'type_id', 'parent_id', 'currency', 'system_role', 'active', 'updated_at'],
  sort: ['code', 'name', 'created_at'],
  search: true,
  expand: ['type'],
});

/** Account in the chart, without the accounts below it. */
const ChartAccount = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  class: z.string(),
  is_group: z.boolean(),
  currency: Currency.nullable(),
  system_role: z.string().nullable(),
  active: z.boolean(),
  balance: BaseMoneyOut.describe('Balance in base currency. For a group, the total of all accounts below it.'),
  updated_at: Timestamp,
});

export type ChartNode = z.input<typeof ChartAccount> & { accounts: ChartNode[] };

/** Account in the chart, with the accounts below it. */
export const ChartNode: z.ZodType<ChartNode, ChartNode> = ChartAccount.extend({
  accounts: z.array(z.lazy(() => ChartNode)),
}).meta({ id: 'ChartNode' });
