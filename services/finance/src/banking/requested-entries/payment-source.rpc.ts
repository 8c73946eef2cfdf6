/** Bank accounts that other services pay from. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { Id } from '@suite/chassis/fields';
import { FinanceServiceDefinition, type GetPaymentSourceResponse } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { method } from '../../operations.ts';
import { REQUESTING_SERVICES } from './requesting-services.ts';

/**
 * Returns a bank account with its full number, which the bank file needs. The calling service has checked that its
 * caller may pay.
 */
export const getPaymentSource = method(FinanceServiceDefinition.methods.getPaymentSource, {
  summary: 'Look up a bank account to pay from',
  only: REQUESTING_SERVICES,
  input: z.object({ bank_account_id: Id }),
  async handle({ db, input: { bank_account_id } }) {
    const [bank] = await db.rows<GetPaymentSourceResponse>(sql`
      SELECT id AS bank_account_id, bank_name, account_name, coalesce(holder, '') AS holder,
        coalesce(account_number, '') AS account_number, coalesce(bic, '') AS bic, currency, gl_account_id, is_cash, active
      FROM bank_accounts WHERE id = ${bank_account_id}::uuid`);
    if (!bank) throw invalid('bank_account_id', 'Bank account not found.');
    return bank;
  },
});
