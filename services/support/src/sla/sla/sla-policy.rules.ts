/** Actions on SLA policies. */
import { recordActions } from '@suite/chassis/operations';

export const slaPolicyActions = recordActions('sla_policy', { update: 'workspace.update', delete: 'workspace.update' });
