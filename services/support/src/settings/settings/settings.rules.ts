/** Actions on the support settings. */
import { recordActions } from '@suite/chassis/operations';

export const settingsActions = recordActions('support_settings', { update: 'workspace.update' });
