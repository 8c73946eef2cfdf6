/** The accounts of finance that a product names, in the place of the usual ones. */
import { invalid } from '@suite/chassis';
import type { Rpc } from '../operations.ts';

const USES = ['income', 'expense', 'stock'] as const;

type Named = Partial<Record<`${(typeof USES)[number]}_account_id`, string | null | undefined>>;

/**
 * Asks finance whether the accounts that are named take what is to be booked on them; before the transaction. Nobody is
 * asked where none is named. When finance does not answer, that is said: an account is never taken blindly.
 * @throws a 422 that names the field
 */
export async function askForAccounts(rpc: Rpc, named: Named): Promise<void> {
  const uses = USES.flatMap((use) => {
    const account_id = named[`${use}_account_id`];
    return account_id ? [{ account_id, use }] : [];
  });
  if (uses.length === 0) return;
  const { answers } = await rpc.finance.checkAccounts({ uses });
  const wrong = answers.findIndex(({ usable }) => !usable);
  if (wrong !== -1) throw invalid(`${uses[wrong]!.use}_account_id`, answers[wrong]!.reason);
}
