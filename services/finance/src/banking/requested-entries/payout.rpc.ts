/** Payouts of other services from a bank account. */
import { BusinessDay, Id } from '@suite/chassis/fields';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { AlreadyExists } from '@suite/chassis/faults';
import { assertUnreconciled, Reconciled } from '../banking/reconciliation.ts';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { method } from '../../operations.ts';
import { REQUESTING_SERVICES } from './requesting-services.ts';
import { PAID_ROLES, postPayout } from './payout.ts';
import { reverseRequestedEntry } from './reversal.ts';
import { ReversalRequest } from './reverse-journal.rpc.ts';

const { methods } = FinanceServiceDefinition;
const Amount = z.string().regex(/^\d{1,15}(\.\d{1,4})?$/, 'Enter an amount.');

/** Records a payout from a bank account, once for each key, and once for each purpose of its source. */
export const recordPayout = method(methods.recordPayout, {
  summary: 'Pay out of a bank account',
  only: REQUESTING_SERVICES,
  idempotent: true,
  dry_run: true,
  input: z.object({
    idempotency_key: z.string().min(1).max(255),
    date: BusinessDay,
    source_type: z.string().regex(/^[a-z][a-z_.]{0,49}$/),
    source_id: Id,
    purpose: z.string().min(1).max(50),
    narration: z.string().max(500),
    bank_account_id: Id,
    system_role: z.enum(PAID_ROLES),
    amount: Amount,
    currency: z.string().regex(/^[A-Z]{3}$/),
    base_amount: Amount.or(z.literal('')),
    counterparty: z.string().max(200),
    reference: z.string().max(200),
  }),
  faults: [PeriodLocked, AlreadyExists],
  handle: ({ input, ...context }) => postPayout(context, input),
});

/** Reverses a payout and invalidates its key. */
export const reversePayout = method(methods.reversePayout, {
  summary: 'Reverse a requested payout',
  access: 'settling',
  only: REQUESTING_SERVICES,
  idempotent: true,
  undoes: recordPayout,
  input: ReversalRequest,
  faults: [Reconciled],
  async handle({ undone, input, ...context }) {
    if (undone) await assertUnreconciled(context.db, undone.journal_entry_id);
    return await reverseRequestedEntry(context, undone?.journal_entry_id, input.date);
  },
});
