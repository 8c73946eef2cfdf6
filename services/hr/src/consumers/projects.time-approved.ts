import { TimeApproved } from '@suite/proto/projects/v1/events';
import { on } from '../operations.ts';
import { upsertProjectTime } from '../project-time/project-time.ts';

/** People whose hours are counted in projects are paid by what was approved there. An older release told no day. */
export const countProjectTime = on(TimeApproved, 'hr.count-project-time', async ({ event, envelope, db }) => {
  const { time_id, user_id, local_date, duration_seconds } = event;
  if (local_date === '') return;
  await upsertProjectTime(
    db,
    { time_id, user_id, as_of: envelope.aggregate_version },
    { local_date, duration_seconds },
  );
});
