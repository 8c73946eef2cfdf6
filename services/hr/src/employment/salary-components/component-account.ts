/** Finance account that a component is posted to. */
import { invalid } from '@suite/chassis/faults';
import type { Rpc } from '../../operations.ts';

/** Checks with finance that an account accepts payroll entries, before the transaction. @throws a 422 fault */
export async function assertPayrollAccount(
  rpc: Pick<Rpc, 'finance'>,
  { account_id }: { account_id?: string | null | undefined },
): Promise<void> {
  if (!account_id) return;
  const { answers } = await rpc.finance.checkAccounts({ uses: [{ account_id, use: 'payroll' }] });
  if (!answers[0]!.usable) throw invalid('account_id', answers[0]!.reason);
}
