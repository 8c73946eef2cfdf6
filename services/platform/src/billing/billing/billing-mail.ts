/** E-mails about billing, to the owners of a workspace. */
import { runInWorkspace } from '@suite/chassis/database';
import { queueMail } from '../../identity/mail/mail-templates.ts';
import type { Db } from '../../operations.ts';

type BillingMail = 'trial_ending_soon' | 'payment_failed' | 'payment_action_needed';

/** Queues an e-mail to each owner of a workspace. */
export const queueMailToOwners = (db: Db, workspace_id: string, mail: BillingMail): Promise<void> =>
  runInWorkspace(workspace_id, async () => {
    const owners = await db.user.findMany({ where: { kind: 'owner', status: { in: ['invited', 'active'] } } });
    for (const { id, email } of owners) if (email !== null) await queueMail(db, mail, id, email);
  });
