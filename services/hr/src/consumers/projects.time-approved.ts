import { TimeApproved } from '@suite/proto/projects/v1/events';
import { on } from '../operations.ts';
import { upsertProjectTime } from '../home/home/project-time.ts';

/**
 * Records approved project time, which determines the pay of employees paid by project hours. Older releases sent no
 * day.
 */
export const countProjectTime = on(TimeApproved, 'hr.count-project-time', async ({ event, envelope, db }) => {
  const { time_id, user_id, local_date, duration_seconds } = event;
  if (local_date === '') return;
  await upsertProjectTime(db, { time_id, user_id, as_of: envelope.position }, { local_date, duration_seconds });
});
