/** Actions on branches. */
import { recordActions } from '@suite/chassis/operations';

export const branchActions = recordActions('branch', { update: 'branch.update', delete: 'branch.delete' });
