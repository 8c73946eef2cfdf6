/** Payouts: money that leaves a bank account to pay people on behalf of another service. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { assertExact } from '@suite/document-lines';
import { isZero } from '@suite/money';
import type { RecordPayoutRequest, RecordPayoutResponse } from '@suite/proto/finance/v1/finance';
import { lockUsableBank } from '../banking/bank-account.ts';
import { booksOf } from '../../ledger/books/books.ts';
import type { SystemRole } from '../../ledger/books/seeded-chart.ts';
import { postEntry } from '../../ledger/ledger/journal.ts';
import { credit, debit, toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';
import type { Db } from '../../operations.ts';

/** Roles of the accounts that a payout can be posted to. */
export const PAID_ROLES = [
  'salaries_payable',
  'payroll_liabilities',
  'employee_advances',
] as const satisfies readonly SystemRole[];

/** Requested payout. */
type RequestedPayout = Omit<RecordPayoutRequest, 'idempotency_key' | 'dry_run' | 'system_role'> & {
  system_role: (typeof PAID_ROLES)[number];
};

/**
 * Returns the amount in base currency. @throws a 422 for a foreign amount without a base amount, or a base-currency
 * amount with one
 */
function baseAmount({ currency, amount, base_amount }: RequestedPayout, base_currency: string): string {
  if (currency === base_currency) {
    if (base_amount) throw invalid('base_amount', `The amount is already in ${base_currency}. Omit this field.`);
    return amount;
  }
  if (!base_amount) throw invalid('base_amount', `Enter the amount in ${base_currency}.`);
  assertExact(base_amount, base_currency, 'base_amount');
  return base_amount;
}

/**
 * Posts a payout: settles the payable amount and creates a bank transaction.
 * @throws PeriodLocked; AlreadyExists if the source has already paid for this purpose
 */
export async function postPayout(
  { db, caller }: { db: Db; caller: Caller },
  payout: RequestedPayout,
): Promise<RecordPayoutResponse> {
  const { amount, currency, bank_account_id, system_role, ...texts } = payout;
  const { base_currency } = await booksOf(db, caller);
  if (isZero(amount)) throw invalid('amount', 'Enter an amount greater than zero.');
  assertExact(amount, currency, 'amount');
  const bank = await lockUsableBank(db, bank_account_id, currency);
  const base = { base: baseAmount(payout, base_currency) };
  const sides = [debit(system_role, amount, base), credit({ id: bank.gl_account_id }, amount, base)];
  const entry = await postEntry(db, {
    date: texts.date,
    // A banking lock also applies, because the entry uses a bank account.
    scope: 'payroll',
    source_type: texts.source_type,
    source_id: texts.source_id,
    purpose: texts.purpose,
    narration: texts.narration,
    counterparty: texts.counterparty || null,
    reference: texts.reference || null,
    lines: toBaseCurrency(sides, { currency, rate: '1', base_currency }),
  });
  const [moved] = await db.rows<{ id: string }>(sql`
    SELECT id FROM bank_transactions WHERE journal_id = ${entry.id}::uuid AND bank_account_id = ${bank.id}::uuid`);
  return { journal_entry_id: entry.id, number: entry.number, bank_transaction_id: moved!.id };
}
