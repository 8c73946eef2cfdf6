/** Actions on blocked senders. */
import { recordActions } from '@suite/chassis/operations';

export const blockedSenderActions = recordActions('blocked_sender', { delete: 'workspace.update' });
