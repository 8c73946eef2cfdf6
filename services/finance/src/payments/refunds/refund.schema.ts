import {
  BusinessDay,
  choice,
  Currency,
  Day,
  Id,
  inner,
  input,
  Money,
  MoneyOut,
  refTo,
  ShortText,
} from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { refundStates } from './refund.rules.ts';

/** Refund fields shown in its note or payment. */
export const RefundSummary = z.object({
  id: Id,
  number: z.string(),
  status: choice('posted', 'reversed'),
  date: Day,
  amount: MoneyOut,
  bank_account_id: Id,
  method: z.string(),
  reference: z.string().nullable(),
  journal_id: inner(Id),
});

/** Refund of the remainder of a note, or of an advance. */
export const Refund = RefundSummary.extend({
  note_id: Id.nullable().describe('ID of the refunded credit or debit note. `null` for an advance.'),
  payment_id: Id.nullable().describe('ID of the payment with the refunded advance. `null` for a note.'),
  currency: Currency,
  allowed_actions: Actions(refundStates.sales),
}).meta({ id: 'Refund' });

/** Request body of a refund. */
export const RefundInput = input({
  bank_account_id: refTo('bank_accounts').describe('ID of the bank account that pays or receives the refund.'),
  amount: Money.optional().describe(
    'Amount in the currency of the note or payment. Defaults to the unallocated remainder.',
  ),
  date: BusinessDay.optional().describe('Date of the refund. Defaults to today.'),
  method: choice('cash', 'bank', 'card', 'online', 'other').optional().describe('Payment method. Defaults to `bank`.'),
  reference: ShortText().min(1).nullable().optional(),
});
export type RefundInput = z.output<typeof RefundInput>;
