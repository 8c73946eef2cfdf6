/** Actions on teams. */
import { recordActions } from '@suite/chassis/operations';

export const teamActions = recordActions('team', { update: 'team.update', delete: 'team.delete' });
