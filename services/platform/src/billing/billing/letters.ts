/** E-mails about billing, to the owners of a workspace. */
import { withinWorkspace } from '@suite/chassis/database';
import { queueLetter } from '../../identity/mail/letter.ts';
import type { Db } from '../../operations.ts';

type BillingLetter = 'trial_ending_soon' | 'payment_failed' | 'payment_action_needed';

/** Queues an e-mail to each owner of a workspace. */
export const writeToOwners = (db: Db, workspace_id: string, letter: BillingLetter): Promise<void> =>
  withinWorkspace(workspace_id, async () => {
    const owners = await db.user.findMany({ where: { kind: 'owner', status: { in: ['invited', 'active'] } } });
    for (const { id, email } of owners) if (email !== null) await queueLetter(db, letter, id, email);
  });
