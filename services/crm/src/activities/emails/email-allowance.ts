/** E-mail allowance of a workspace. */
import { fault } from '@suite/chassis/faults';
import type { Rpc } from '../../operations.ts';

export const EmailAllowance = fault(
  429,
  'email_allowance',
  'Your workspace has sent too many e-mails in the last hour. Try again later or upgrade your plan.',
);

/** Counts the recipients of an e-mail. @throws EmailAllowance */
export async function countRecipients(rpc: Rpc, workspace_id: string, recipients: number): Promise<void> {
  const { retry_after_s } = await rpc.platform.prepareEmail({ workspace_id, recipients });
  if (retry_after_s > 0) throw EmailAllowance({ retry_after_s });
}
