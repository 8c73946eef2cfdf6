/** Actions on agents. */
import { recordActions } from '@suite/chassis/operations';

export const agentActions = recordActions('agent', { update: 'commission.update', delete: 'commission.update' });
