/** Actions on the project settings. */
import { recordActions } from '@suite/chassis/operations';

export const settingsActions = recordActions('project_settings', { update: 'workspace.update' });
