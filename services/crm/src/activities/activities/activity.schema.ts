/** Activities of a lead or a deal: tasks, calls, notes, e-mails, files, and the change history. */
import { choice, Id, inner, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { activityTypes } from '../../pipeline/board/timeline.ts';
import { Call } from '../calls/call.schema.ts';
import { Discussion } from '../discussions/discussion.schema.ts';
import { EmailMessage } from '../emails/email.schema.ts';
import { File } from '../files/file.schema.ts';
import { Task } from '../tasks/task.schema.ts';
import { UserLabel } from '@suite/user-copies';

export const StageChange = z
  .object({
    id: Id,
    from_stage_id: Id.nullable().describe('ID of the previous stage. `null` for the first stage.'),
    from_name: z.string().nullable(),
    to_stage_id: Id,
    to_name: z.string(),
    seconds_in_from: z.int().nullable(),
    by: Id.nullable(),
    at: Timestamp,
  })
  .meta({ id: 'StageChange' });

export const Activity = z
  .object({
    id: Id,
    type: choice(...activityTypes).describe('Type of the activity.'),
    payload: z.record(z.string(), z.unknown()),
    actor: UserLabel.nullable(),
    at: Timestamp,
  })
  .meta({ id: 'Activity' });

/** Activities in the response of a lead or a deal: the newest 100 of each kind. */
export const activityFields = {
  tasks: z.array(Task),
  calls: z.array(Call),
  discussions: z.array(Discussion),
  emails: z.array(EmailMessage),
  files: z.array(File),
  stage_history: z.array(StageChange),
  timeline: z.array(Activity),
};

/** Activity fields of a deal. Clients and vendors see the files, but no internal work. */
export const dealActivityFields = {
  ...Object.fromEntries(Object.entries(activityFields).map(([name, field]) => [name, inner(field)])),
  files: activityFields.files,
} as { [Name in Exclude<keyof typeof activityFields, 'files'>]: z.ZodOptional<(typeof activityFields)[Name]> } & Pick<
  typeof activityFields,
  'files'
>;
