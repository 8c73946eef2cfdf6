/** Actions on leave types. */
import { recordActions } from '@suite/chassis/operations';

export const leaveTypeActions = recordActions('leave_type', {
  update: 'leave_type.update',
  delete: 'leave_type.delete',
});
