/** Actions on the HR settings. */
import { recordActions } from '@suite/chassis/operations';

export const settingsActions = recordActions('hr_settings', { update: 'hr_setting.update' });
