import {
  BusinessDay,
  choice,
  Currency,
  Day,
  Id,
  input,
  ShortText,
  MoneyOut,
  record,
  refTo,
  Timestamp,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { RateOut } from '../commission-plans/plan.schema.ts';
import { commissionStates } from './commission.rules.ts';

const facts = {
  agent_id: Id,
  invoice_id: Id,
  kind: choice('accrual', 'clawback').describe('`clawback` recovers a paid commission: its amounts are negative.'),
  date: Day,
  status: choice('accrued', 'approved', 'paid', 'reversed'),
  currency: Currency,
  base_amount: MoneyOut.nullable().describe(
    'Amount that the commission is calculated from. `null` for a margin, unless the caller has `product.cost`.',
  ),
  rate: RateOut.describe(
    'Percentage, if one rate applies to the whole base. `null` for a margin, unless the caller has `product.cost`.',
  ),
  amount: MoneyOut,
  reversed: MoneyOut.describe('Amount reversed before payment, by returns or voided payments.'),
};

/** Commission of an agent on a sale, or a clawback. */
export const CommissionLine = record({
  ...facts,
  outstanding: MoneyOut.describe('Amount not paid yet.'),
  approved_by: Id.nullable(),
  approved_at: Timestamp.nullable(),
  paid_by: Id.nullable(),
  paid_at: Timestamp.nullable(),
  bank_account_id: Id.nullable().describe('ID of the bank account that paid the commission.'),
  allowed_actions: Actions(commissionStates),
  agent: z.object({ id: Id, code: z.string(), name: z.string() }).nullable().optional(),
  invoice: z.object({ id: Id, number: z.string() }).nullable().optional(),
}).meta({ id: 'CommissionLine' });

export const CommissionLineFilter = list(CommissionLine, {
  filter: [
    ...(['agent_id', 'invoice_id', 'kind', 'date', 'status', 'currency', 'amount', 'bank_account_id'] as const),
    ...(['approved_at', 'paid_at', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'date', 'amount'],
  search: {
    through: {
      agent_id: { table: 'agents', texts: ['code', 'name'] },
      invoice_id: { table: 'sales_invoices', texts: ['number'] },
    },
  },
  expand: ['agent', 'invoice'],
});

export const CommissionPaymentInput = input({
  bank_account_id: refTo('bank_accounts').describe('ID of the bank account, in base currency.'),
  date: BusinessDay.optional().describe('Defaults to today.'),
  reference: ShortText().min(1).nullable().optional(),
  set_off_ids: z
    .array(refTo('commission_lines'))
    .max(100)
    .optional()
    .describe('IDs of approved clawbacks of the same agent to deduct from the payout.'),
});
export type CommissionPaymentInput = z.output<typeof CommissionPaymentInput>;

const totals = {
  accrued: MoneyOut.describe('Total of earned commissions.'),
  adjusted: MoneyOut.describe('Clawbacks: paid commissions to be returned. Zero or negative.'),
  reversed: MoneyOut.describe('Commissions reversed before payment.'),
  paid: MoneyOut.describe('Commissions paid, less returned commissions.'),
  outstanding: MoneyOut.describe('Accrued and adjusted amounts, less reversed and paid ones.'),
};

/** Outstanding commissions of an agent on a day. */
export const OutstandingCommissions = z
  .object({
    agent: z.object({ id: Id, code: z.string(), name: z.string() }),
    as_of: Day,
    currencies: z.array(z.object({ currency: z.string(), ...totals })),
    lines: z
      .array(
        z.object({
          id: Id,
          invoice_id: Id,
          invoice_number: z.string(),
          kind: facts.kind,
          date: Day,
          currency: z.string(),
          base_amount: facts.base_amount,
          rate: facts.rate,
          amount: MoneyOut,
          outstanding: MoneyOut.describe('Unpaid amount on that day.'),
          status: facts.status.describe('Current status.'),
        }),
      )
      .describe('Unpaid commissions on that day, newest first, at most 500.'),
    lines_total: z.int().describe('Number of unpaid commissions on that day.'),
  })
  .meta({ id: 'OutstandingCommissions' });
