/** Meetings about a lead, a deal, an opportunity, a customer, a quote or an order. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { fetchAttendees } from './attendees.ts';
import { fetchCustomer } from '../references/customer.ts';
import { assertMeeting, createMeeting, MeetingIsOver, removeMeeting, updateMeeting } from './meeting.ts';
import { meetingStates } from './meeting.rules.ts';
import { listMeetings } from './meeting.view.ts';
import { Meeting, MeetingChanges, MeetingDetails, MeetingFilter, MeetingInput } from './meeting.schema.ts';
import { type Rpc, sales } from '../../operations.ts';

/** Requests all users that a body names. */
const fetchReferences = async (rpc: Rpc, { parent_type, parent_id, attendees }: MeetingInput | MeetingChanges) => ({
  customer: parent_type === 'customer' ? await fetchCustomer(rpc, parent_id, 'parent_id') : undefined,
  people: await fetchAttendees(rpc, attendees),
});

export const list = sales.query('GET /api/sales/meetings', {
  summary: 'List meetings',
  description: 'Returns the meetings about records that you may see. Expand `attendees` for the participants.',
  access: can('meeting.view'),
  query: MeetingFilter,
  reply: page(Meeting),
  handle: ({ db, caller, query }) => listMeetings(db, caller, query),
});

export const create = sales.command('POST /api/sales/meeting/store', {
  summary: 'Create a meeting',
  description:
    'Creates a meeting about one record, with users and external contacts. The time zone defaults to the workspace. Sends no invitations.',
  access: can('meeting.create'),
  body: MeetingInput,
  reply: created(MeetingDetails),
  prepare: ({ body, rpc }) => fetchReferences(rpc, body),
  handle: ({ body, prepared, ...context }) => createMeeting(context, body, prepared),
});

export const update = sales.command('POST /api/sales/meeting/update/{id}', {
  summary: 'Update a meeting',
  description:
    'Updates a meeting. `status` records the outcome, and afterwards only the description can change. Other changes return 409 `meeting_is_over`. Send `parent_type` and `parent_id` together to change the record.',
  access: meetingStates.can('update', 'hold', 'miss', 'cancel'),
  params: { id: idOf('meetings') },
  body: MeetingChanges,
  reply: ok(MeetingDetails),
  faults: [MeetingIsOver],
  async prepare({ params, body, rpc, read }) {
    await read((db) => assertMeeting(db, params.id));
    return await fetchReferences(rpc, body);
  },
  handle: ({ params, body, prepared, expect, ...context }) =>
    updateMeeting(context, params.id, body, { ...prepared, expect }),
});

export const remove = sales.command('DELETE /api/sales/meeting/destroy/{id}', {
  summary: 'Delete a meeting',
  description: 'Deletes a meeting, held or planned. Cancel it with `status` instead to keep it in the list.',
  access: meetingStates.can('delete'),
  params: { id: idOf('meetings') },
  reply: removed,
  handle: ({ db, params }) => removeMeeting(db, params.id),
});
