/** Bank transactions: money that came into an account or left it. Each is a line of the journal on the account. */
import { can, one, page, paginate, sql } from '@suite/chassis';
import { accounting } from '../operations.ts';
import { BankTransactionFilter, BankTransaction } from './bank.schema.ts';

const { query } = accounting;

const running = sql`
  SELECT sum(CASE direction WHEN 'in' THEN amount ELSE - amount END) FROM bank_transactions AS before
  WHERE before.bank_account_id = bank_transactions.bank_account_id AND (before.date, before.sequence, before.position)
    <= (bank_transactions.date, bank_transactions.sequence, bank_transactions.position)`;

export const list = query('GET /api/bank-transactions', {
  summary: 'List bank transactions',
  access: can('bank_account.view'),
  query: BankTransactionFilter,
  reply: page(BankTransaction),
  handle: ({ db, query }) =>
    paginate(db, query, {
      table: 'bank_transactions',
      compute: { running_balance: running },
      expand: {
        bank_account: one('bank_account_id', (ids) =>
          db.rows(sql`
            SELECT id, bank_name, account_name, currency FROM bank_accounts WHERE id = ANY(${ids}::uuid[])`),
        ),
      },
    }),
});
