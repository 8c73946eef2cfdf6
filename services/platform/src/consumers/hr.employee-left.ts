import { EmployeeLeft } from '@suite/proto/hr/v1/events';
import { on } from '../operations.ts';
import { disableFormerColleague } from '../workspaces/users/user-management.ts';

/** Disables the login of an employee after their last day, and ends their sessions and keys. */
export const endLogin = on(EmployeeLeft, 'platform.end-login', async ({ event, db, emit }) => {
  if (event.user_id) await disableFormerColleague(db, emit, event.user_id);
});
