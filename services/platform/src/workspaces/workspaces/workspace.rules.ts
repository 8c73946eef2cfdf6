/** Actions on workspaces. */
import { recordActions } from '@suite/chassis/operations';

export const workspaceActions = recordActions('workspace', { update: 'workspace.update' });
