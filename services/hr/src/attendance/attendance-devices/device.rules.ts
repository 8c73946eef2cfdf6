/** Actions on attendance devices. */
import { recordActions } from '@suite/chassis/operations';

export const deviceActions = recordActions('attendance_device', {
  update: 'hr_setting.update',
  delete: 'hr_setting.update',
});
