import { EmployeeCreated } from '@suite/proto/hr/v1/events';
import { on } from '../operations.ts';
import { confirmStaffUser } from '../users/staff-user.ts';
import { showLink } from '../users/user-link.ts';

/** A colleague who was made with an employee is there as soon as the employee is, and is invited. */
export const confirmNewStaff = on(EmployeeCreated, 'platform.confirm-new-staff', async ({ event, db, emit }) => {
  if (event.new_staff) await confirmStaffUser(db, emit, event.new_staff);
  await showLink(db, 'employee_id', event.employee_id, event.user_id);
});
