import {
  BusinessDay,
  choice,
  Currency,
  Day,
  Id,
  input,
  ShortText,
  Money,
  MoneyOut,
  moneyOutIn,
  Name,
  record,
  refTo,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { SourceType } from '../../ledger/ledger/journal.rules.ts';
import { Rate } from '../../ledger/ledger/rate.schema.ts';
import { transactionStates, bankAccountActions } from './reconciliation.rules.ts';
import { transferStates } from './transfer.rules.ts';

const OnInvoices = z
  .boolean()
  .describe('Whether invoices in this currency print the account with the amount due. Requires an account number.');

/** Bank account or cash box. */
export const BankAccount = record({
  bank_name: z.string(),
  account_name: z.string(),
  account_number: z.string().nullable().describe('Masked account number. Only the last four characters are shown.'),
  holder: z.string().nullable(),
  bic: z.string().nullable().describe('Bank code for payments to the account.'),
  currency: Currency,
  gl_account_id: Id.describe('ID of the ledger account of the bank account.'),
  opening_balance: MoneyOut,
  opening_date: Day,
  opening_rate: z
    .string()
    .nullable()
    .describe('Exchange rate of the opening balance to the base currency. `null` without an opening balance.'),
  is_cash: z.boolean(),
  on_invoices: OnInvoices,
  active: z.boolean(),
  current_balance: MoneyOut.describe('Balance of the ledger account, in the currency of the bank account.'),
  allowed_actions: Actions(bankAccountActions),
}).meta({ id: 'BankAccount' });

export const BankAccountFilter = list(BankAccount, {
  filter: ['bank_name', 'account_name', 'currency', 'is_cash', 'active', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'bank_name', 'account_name'],
  search: true,
});

const Text = ShortText().min(1).nullable();
const AccountNumber = ShortText(50).min(4).nullable();
const Bic = z
  .string()
  .regex(/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'Enter a BIC of 8 or 11 characters: A-Z and 0-9.')
  .nullable();

export const BankAccountInput = input({
  bank_name: Name,
  account_name: Name,
  account_number: AccountNumber.default(null),
  holder: Text.default(null),
  bic: Bic.default(null),
  on_invoices: OnInvoices.default(false),
  currency: Currency.optional().describe('Defaults to the base currency of the workspace.'),
  opening_balance: Money.default('0').describe('Opening balance at the start of the books. Posted automatically.'),
  opening_date: BusinessDay.optional().describe('Defaults to today.'),
  opening_rate: Rate.optional().describe('Exchange rate of the opening balance. Required for foreign currencies.'),
});

export const BankAccountChanges = input({
  bank_name: Name.optional(),
  account_name: Name.optional(),
  account_number: AccountNumber.optional(),
  holder: Text.optional(),
  bic: Bic.optional(),
  on_invoices: OnInvoices.optional(),
  active: z.boolean().optional().describe('`false` archives the account, which requires a balance of zero.'),
  version,
});

/** Received or sent money. */
export const BankTransaction = record({
  bank_account_id: Id,
  journal_id: Id,
  date: Day,
  direction: choice('in', 'out'),
  amount: MoneyOut,
  currency: Currency.describe('Currency of the bank account.'),
  counterparty: z.string().nullable(),
  reference: z.string().nullable(),
  source_type: z.string(),
  source_id: Id,
  status: choice('unreconciled', 'reconciled'),
  running_balance: MoneyOut.describe('Balance of the account after the transaction.'),
  allowed_actions: Actions(transactionStates),
  bank_account: z.object({ id: Id, bank_name: z.string(), account_name: z.string(), currency: z.string() }).optional(),
}).meta({ id: 'BankTransaction' });

export const BankTransactionFilter = list(BankTransaction, {
  filter: [
    ...(['bank_account_id', 'journal_id', 'date', 'direction', 'amount', 'counterparty', 'reference'] as const),
    ...(['source_type', 'source_id', 'status', 'created_at', 'updated_at'] as const),
  ],
  values: { source_type: SourceType },
  sort: ['created_at', 'updated_at', 'date', 'amount'],
  search: { texts: ['counterparty', 'reference'] },
  expand: ['bank_account'],
});

/** Transfer between two of the workspace's bank accounts. */
export const BankTransfer = record({
  number: z.string(),
  from_account_id: Id,
  to_account_id: Id,
  date: Day,
  amount: MoneyOut.describe('Amount that left the source account, without the fee.'),
  currency: Currency.describe('Currency of the source account.'),
  received: moneyOutIn('received_currency').describe('Amount that arrived in the destination account.'),
  received_currency: Currency.describe('Currency of the destination account.'),
  rate: z.string(),
  fee: MoneyOut,
  reference: z.string().nullable(),
  status: choice('completed', 'reversed'),
  journal_id: Id,
  allowed_actions: Actions(transferStates),
}).meta({ id: 'BankTransfer' });

export const BankTransferFilter = list(BankTransfer, {
  filter: [
    ...(['number', 'from_account_id', 'to_account_id', 'date', 'amount', 'reference', 'status'] as const),
    ...(['created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'date', 'amount', 'number'],
  search: { texts: ['number', 'reference'] },
});

export const BankTransferInput = input({
  from_account_id: refTo('bank_accounts'),
  to_account_id: refTo('bank_accounts'),
  date: BusinessDay.optional().describe('Defaults to today.'),
  amount: Money.describe('Amount in the currency of the source account.'),
  rate: Rate.optional().describe(
    'Exchange rate: units of the other currency per unit. Required between two currencies.',
  ),
  base_rate: Rate.optional().describe(
    'Base currency per unit of the source currency. Required between two foreign currencies, and if an account without enough money is overdrawn. Money that stays in its currency keeps its base value.',
  ),
  fee: Money.default('0').describe('Bank fee, in addition to the amount.'),
  reference: Text.default(null),
});

export type BankAccountInput = z.output<typeof BankAccountInput>;
export type BankAccountChanges = z.output<typeof BankAccountChanges>;
export type BankTransferInput = z.output<typeof BankTransferInput>;
