/** Actions on mailboxes. Verification ends with the first correct code. */
import { recordActions } from '@suite/chassis/operations';

const SETTINGS = 'workspace.update';
const verification = { permission: SETTINGS, unless: 'address_verified_at' };

export const mailboxActions = recordActions('mailbox', {
  update: SETTINGS,
  verify: verification,
  resend: verification,
  rotate: SETTINGS,
  delete: SETTINGS,
});
