import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import { on } from '../operations.ts';
import { confirmStaffUser } from '../workspaces/users/staff-user.ts';
import { linkRecord } from '../workspaces/users/user-link.ts';

/** Confirms and invites a user created for an employee, once the employee is linked to that user. */
export const confirmStaffOfEmployee = on(
  EmployeeUpdated,
  'platform.confirm-staff-of-employee',
  async ({ event, db, emit }) => {
    if (event.new_staff) await confirmStaffUser(db, emit, event.new_staff);
    await linkRecord(db, 'employee_id', event.employee_id, event.user_id);
  },
);
