import { TimeReopened } from '@suite/proto/projects/v1/events';
import { on } from '../operations.ts';
import { withdrawProjectTime } from '../home/home/project-time.ts';

/** Removes reopened project time from pay. If a payslip has already paid the time, arrears compensate. */
export const discountProjectTime = on(TimeReopened, 'hr.discount-project-time', ({ event, envelope, db }) =>
  withdrawProjectTime(db, { time_id: event.time_id, user_id: event.user_id, as_of: envelope.position }),
);
