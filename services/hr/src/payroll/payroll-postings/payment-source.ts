/** Bank accounts in finance that money is paid from. */
import { Fault, invalid } from '@suite/chassis/faults';
import type { Rpc } from '../../operations.ts';

const FIELD = 'bank_account_id';

/**
 * Rejects a bank account that cannot pay in a currency.
 * @param field name of the account in the request body
 * @throws a 422 fault that names the field
 */
export async function paymentSource(rpc: Pick<Rpc, 'finance'>, id: string, currency: string, field = FIELD) {
  const source = await rpc.finance.getPaymentSource({ bank_account_id: id }).catch((error: unknown) => {
    const why = error instanceof Fault ? error.errors?.[FIELD]?.[0] : undefined;
    throw why === undefined ? error : invalid(field, why);
  });
  if (!source.active) throw invalid(field, 'This bank account is archived. Choose another one.');
  if (source.currency !== currency) throw invalid(field, `Choose an account in ${currency}.`);
  return source;
}
