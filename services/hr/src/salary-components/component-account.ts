/** The account of finance that a component is booked on. */
import { invalid } from '@suite/chassis';
import type { Rpc } from '../operations.ts';

/** Asks finance whether the account that is named takes entries of the payroll, before the transaction. @throws a 422 */
export async function askForAccount(
  rpc: Pick<Rpc, 'finance'>,
  { account_id }: { account_id?: string | null | undefined },
): Promise<void> {
  if (!account_id) return;
  const { answers } = await rpc.finance.checkAccounts({ uses: [{ account_id, use: 'payroll' }] });
  if (!answers[0]!.usable) throw invalid('account_id', answers[0]!.reason);
}
