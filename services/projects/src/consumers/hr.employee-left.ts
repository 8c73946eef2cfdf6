import { EmployeeLeft } from '@suite/proto/hr/v1/events';
import { endMemberships } from '../projects/members/member.ts';
import { on } from '../operations.ts';

/** Ends the project memberships of an employee whose last day has passed, and stops their timers. */
export const endMembershipsOfLeaver = on(
  EmployeeLeft,
  'projects.end-memberships-of-leaver',
  async ({ event, envelope, db, emit }) => {
    if (event.user_id) await endMemberships({ db, emit, at: new Date(envelope.occurred_at) }, event.user_id);
  },
);
