import { EmployeeDeleted } from '@suite/proto/hr/v1/events';
import { on } from '../operations.ts';
import { removeUnusedStaff } from '../workspaces/users/staff-user.ts';
import { linkRecord } from '../workspaces/users/user-link.ts';

/** Deletes the user created with a mistakenly entered employee, unless that user has signed in. */
export const removeStaffOfEmployee = on(
  EmployeeDeleted,
  'platform.remove-staff-of-employee',
  async ({ event, db, emit }) => {
    await linkRecord(db, 'employee_id', event.employee_id, '');
    if (event.made_user_id) await removeUnusedStaff(db, emit, event.made_user_id);
  },
);
