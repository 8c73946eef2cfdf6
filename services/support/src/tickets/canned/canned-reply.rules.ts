/** Actions on canned replies. */
import { recordActions } from '@suite/chassis/operations';

export const cannedReplyActions = recordActions('canned_reply', { update: 'ticket.update', delete: 'ticket.update' });
