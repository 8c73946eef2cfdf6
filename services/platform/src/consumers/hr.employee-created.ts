import { EmployeeCreated } from '@suite/proto/hr/v1/events';
import { on } from '../operations.ts';
import { confirmStaffUser } from '../workspaces/users/staff-user.ts';
import { linkRecord } from '../workspaces/users/user-link.ts';

/** Activates and invites a user that was created with an employee, after the employee is created. */
export const confirmNewStaff = on(EmployeeCreated, 'platform.confirm-new-staff', async ({ event, db, emit }) => {
  if (event.new_staff) await confirmStaffUser(db, emit, event.new_staff);
  await linkRecord(db, 'employee_id', event.employee_id, event.user_id);
});
