/** What is gathered about a lead or a deal. */
import { choice, Day, Id, inner, record, Time, Timestamp } from '@suite/chassis';
import { z } from 'zod';
import { UserLabel } from '../users/user.schema.ts';

/** Exactly one of the two is set. */
const subject = { lead_id: Id.nullable(), deal_id: Id.nullable() };

export const Task = record({
  ...subject,
  name: z.string(),
  date: Day,
  time: Time,
  priority: choice('low', 'medium', 'high'),
  status: choice('todo', 'done'),
  assignee_id: Id.nullable(),
  reminder: Timestamp.nullable(),
  done_at: Timestamp.nullable(),
}).meta({ id: 'CrmTask' });

export const Call = record({
  ...subject,
  subject: z.string(),
  type: choice('inbound', 'outbound'),
  at: Timestamp,
  duration: z.int().describe('In seconds.'),
  assignee_id: Id,
  description: z.string().nullable(),
  result: z.string().nullable(),
}).meta({ id: 'CrmCall' });

export const Discussion = record({ ...subject, comment: z.string() }).meta({ id: 'CrmDiscussion' });

export const EmailMessage = record({
  ...subject,
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  body: z.string(),
  delivery: choice('queued', 'sent', 'failed'),
  attempts: z.int(),
  sent_at: Timestamp.nullable(),
  failure: z.string().nullable().describe('Why the last attempt failed.'),
}).meta({ id: 'CrmEmail' });

export const File = record({
  ...subject,
  name: z.string(),
  size: z.int().describe('In bytes.'),
  mime: z.string(),
  url: z.string().describe('A link that opens the file for a quarter of an hour, without a token.'),
}).meta({ id: 'CrmFile' });

export const StageChange = z
  .object({
    id: Id,
    from_stage_id: Id.nullable().describe('Null for the first stage.'),
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
    type: z.string(),
    payload: z.record(z.string(), z.unknown()),
    actor: UserLabel.nullable(),
    at: Timestamp,
  })
  .meta({ id: 'Activity' });

/** What a lead or a deal shows of it: the newest hundred of each. */
export const dossier = {
  tasks: z.array(Task),
  calls: z.array(Call),
  discussions: z.array(Discussion),
  emails: z.array(EmailMessage),
  files: z.array(File),
  stage_history: z.array(StageChange),
  timeline: z.array(Activity),
};

/** The same for a deal, of which outsiders see the files and nothing of our work on it. */
export const dealDossier = {
  ...Object.fromEntries(Object.entries(dossier).map(([name, field]) => [name, inner(field)])),
  files: dossier.files,
} as { [Name in Exclude<keyof typeof dossier, 'files'>]: z.ZodOptional<(typeof dossier)[Name]> } & Pick<
  typeof dossier,
  'files'
>;
