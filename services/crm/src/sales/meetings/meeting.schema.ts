import {
  choice,
  Email,
  Id,
  foreignId,
  idCheckedBy,
  input,
  ShortText,
  Name,
  LongText,
  record,
  Timestamp,
  version,
  Zone,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { meetingStates } from './meeting.rules.ts';

/** One hour after the time used in examples. */
const END = '2026-11-21T10:30:00.000Z';

export const ParentType = choice('lead', 'deal', 'opportunity', 'customer', 'quote', 'order');
export type ParentType = z.output<typeof ParentType>;

const Response = choice('pending', 'accepted', 'declined');

/** Attendee of a meeting: a user or an external contact. */
export const Attendee = z
  .object({
    user_id: Id.nullable(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    response: Response,
  })
  .meta({ id: 'MeetingAttendee' });

/** Meeting about a record. */
export const Meeting = record({
  name: z.string(),
  parent_type: ParentType,
  parent_id: Id,
  parent_name: z.string().nullable(),
  start: Timestamp,
  end: Timestamp.describe('End of the meeting.').meta({ example: END }),
  timezone: z.string().describe('IANA time zone of the attendees.'),
  location: z.string().nullable(),
  description: z.string().nullable(),
  status: choice('planned', 'held', 'not_held', 'cancelled'),
  allowed_actions: Actions(meetingStates),
  attendees: z.array(Attendee).optional(),
}).meta({ id: 'Meeting' });

/** Meeting as returned after a change, with all attendees. */
export const MeetingDetails = Meeting.required({ attendees: true }).meta({ id: 'MeetingDetails' });

export const MeetingFilter = list(Meeting, {
  filter: ['name', 'parent_type', 'parent_id', 'start', 'end', 'status', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'start', 'name'],
  search: true,
  expand: ['attendees'],
});

const UserAttendee = z.strictObject({ user_id: foreignId('platform.user'), response: Response.optional() });
const ContactAttendee = z.strictObject({ name: Name, email: Email.optional(), response: Response.optional() });
const AttendeeInput = z.union([UserAttendee, ContactAttendee]);

const optional = {
  timezone: Zone.optional().describe('Defaults to the time zone of the workspace.'),
  attendees: z
    .array(AttendeeInput)
    .max(100)
    .optional()
    .describe('All attendees. Replaces the previous list. Remaining attendees keep their response.'),
  location: ShortText().min(1).nullable().optional(),
  description: LongText.nullable().optional(),
};

export const MeetingInput = input({
  name: Name,
  parent_type: ParentType,
  parent_id: idCheckedBy('sales/meetings/parents.ts'),
  start: Timestamp,
  end: Timestamp.meta({ example: END }),
  ...optional,
});

export const MeetingChanges = input({
  name: Name.optional(),
  parent_type: ParentType.optional(),
  parent_id: idCheckedBy('sales/meetings/parents.ts').optional(),
  start: Timestamp.optional(),
  end: Timestamp.meta({ example: END }).optional(),
  ...optional,
  status: stateRequest(meetingStates, ['held', 'not_held', 'cancelled'], ['hold', 'miss', 'cancel'])
    .optional()
    .describe('Outcome of the meeting, or the action from `allowed_actions` that leads to it.'),
  version,
});

export type AttendeeInput = z.output<typeof AttendeeInput>;
export type MeetingInput = z.output<typeof MeetingInput>;
export type MeetingChanges = z.output<typeof MeetingChanges>;
