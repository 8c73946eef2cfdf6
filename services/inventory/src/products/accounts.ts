/** Finance accounts of a product that replace the default accounts. */
import { invalid } from '@suite/chassis/faults';
import type { Rpc } from '../operations.ts';

const USES = ['income', 'expense', 'stock'] as const;

type ProductAccountIds = Partial<Record<`${(typeof USES)[number]}_account_id`, string | null | undefined>>;

/**
 * Checks with finance, before the transaction, that the named accounts are usable. No request is made without accounts.
 * If finance does not respond, the error is returned, because accounts are never accepted unchecked.
 * @throws a 422 that names the field
 */
export async function assertUsableAccounts(rpc: Rpc, accounts: ProductAccountIds): Promise<void> {
  const uses = USES.flatMap((use) => {
    const account_id = accounts[`${use}_account_id`];
    return account_id ? [{ account_id, use }] : [];
  });
  if (uses.length === 0) return;
  const { answers } = await rpc.finance.checkAccounts({ uses });
  const wrong = answers.findIndex(({ usable }) => !usable);
  if (wrong !== -1) throw invalid(`${uses[wrong]!.use}_account_id`, answers[wrong]!.reason);
}
