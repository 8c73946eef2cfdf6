/** Commission lines: earned with a sale, approved by a user, paid from a bank account. */
import { clock } from '@suite/chassis/runtime';
import type { CommandContext } from '../../operations.ts';
import { commissionStates } from './commission.rules.ts';

/** Approves an accrued commission for payout. Repeating the request changes nothing. @throws InvalidTransition */
export async function approveCommission({ db, caller }: CommandContext, id: string): Promise<void> {
  const approval = { approved_by: caller?.user_id ?? null, approved_at: clock.now() };
  await commissionStates.move(db.commissionLine, id, 'approve', approval, caller);
}
