/** What may be added to the dossier of a lead or a deal. */
import {
  PlannedDay,
  choice,
  Email,
  idCheckedBy,
  input,
  Line,
  Name,
  Paragraph,
  refTo,
  Time,
  Timestamp,
  version,
} from '@suite/chassis';
import { z } from 'zod';

const Priority = choice('low', 'medium', 'high');

const task = {
  name: Name,
  date: PlannedDay,
  time: Time.describe("HH:MM, in the workspace's zone."),
  assignee_id: idCheckedBy('platform').nullable().optional(),
  reminder: Timestamp.nullable().optional(),
};

export const TaskInputs = {
  lead: input({ lead_id: refTo('leads'), ...task, priority: Priority.default('medium') }),
  deal: input({ deal_id: refTo('deals'), ...task, priority: Priority.default('medium') }),
};

export const TaskChanges = input({
  ...z.object(task).partial().shape,
  priority: Priority.optional(),
  status: choice('todo', 'done').optional().describe('Done, or to be done again.'),
  version,
});

const DAY_S = 24 * 60 * 60;
const call = {
  subject: Name,
  type: choice('inbound', 'outbound'),
  at: Timestamp,
  duration: z.int().min(0).max(DAY_S).describe('In seconds.'),
  assignee_id: idCheckedBy('platform')
    .optional()
    .describe('Who called, or took the call; the caller of this operation otherwise.'),
  description: Paragraph.nullable().optional(),
  result: Line(500).min(1).nullable().optional(),
};

export const CallInputs = {
  lead: input({ lead_id: refTo('leads'), ...call }),
  deal: input({ deal_id: refTo('deals'), ...call }),
};

export const CallChanges = input({ ...z.object(call).partial().shape, version });

export const DiscussionInput = input({ comment: Paragraph.min(1) });

export const EmailInput = input({
  to: z.array(Email).min(1).max(20),
  cc: z.array(Email).max(20).default([]),
  // A subject of several lines could smuggle headers into the message.
  subject: Line(200)
    .min(1)
    .regex(/^[^\r\n]*$/, 'A subject has one line.'),
  body: Paragraph.min(1),
});

const ids = (id: z.ZodUUID) => z.array(id).min(1).max(50);

/** What is put on a record, by what it is. */
export const MemberInputs = {
  label: input({ label_ids: ids(refTo('labels')) }),
  source: input({ source_ids: ids(refTo('sources')) }),
  user: input({ user_ids: ids(idCheckedBy('platform')) }),
  client: input({ client_ids: ids(idCheckedBy('platform')) }),
};
