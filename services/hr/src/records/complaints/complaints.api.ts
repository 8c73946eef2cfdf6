/** Complaints about colleagues or situations. The accused employee never sees them. */
import { Id, idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { OwnRecord } from '../../employment/employment/employment.rules.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { AgainstOneself, complaintStates } from './complaint.rules.ts';
import {
  Complaint,
  ComplaintChanges,
  ComplaintDecision,
  ComplaintFilter,
  ComplaintInput,
  OwnComplaintFilter,
  OwnComplaintInput,
  PlainComplaint,
} from './complaint.schema.ts';
import { changeComplaint, createComplaint, decideComplaint, fileComplaint, removeComplaint } from './complaint.ts';
import { listComplaints, listOwnComplaints, readComplaint, readFiledComplaint } from './complaint.view.ts';

const ADDITION = 'The specification only lists HR records: without these, no records and no decisions would exist.';

const params = { id: idOf('complaints') };

export const list = query('GET /api/complaints', {
  summary: 'List complaints',
  description:
    'Returns the complaints that you may see, without those against you. Owners can expand `author` of anonymous complaints.',
  access: can('complaint.view'),
  query: ComplaintFilter,
  reply: page(Complaint),
  handle: ({ query, ...context }) => listComplaints(context, query),
});

export const own = query('GET /api/hrm/complaints', {
  summary: 'List complaints that you filed',
  description: 'Returns complaints filed under your name. Anonymous complaints are not listed: get them by their ID.',
  addition: 'Employees without permission to list records still see their own records, and no others.',
  access: employeesOnly,
  query: OwnComplaintFilter,
  reply: page(PlainComplaint),
  faults: [NotAnEmployee],
  handle: ({ query, ...context }) => listOwnComplaints(context, query),
});

export const filed = query('GET /api/hrm/complaint/{complaint_id}', {
  summary: 'Get a complaint that you filed',
  description: 'Returns a complaint that you have filed. For an anonymous complaint, use the ID returned on filing.',
  addition: 'Anonymous complaints are in no list: the author finds theirs by its ID.',
  access: employeesOnly,
  // Not restricted by visibility rules: the database cannot know the author of an anonymous complaint.
  params: { complaint_id: Id },
  reply: ok(PlainComplaint),
  faults: [NotAnEmployee],
  handle: ({ params, ...context }) => readFiledComplaint(context, params.complaint_id),
});

export const show = query('GET /api/complaint/show/{id}', {
  summary: 'Get a complaint',
  description:
    'Returns a complaint with its status and outcome. A complaint against you returns 404. The author of an anonymous complaint is hidden.',
  addition: 'A user who gets the ID of a record, for example by e-mail, can view it without the list.',
  access: can('complaint.view'),
  params,
  reply: ok(Complaint),
  handle: ({ params: { id }, ...context }) => readComplaint(context, id),
});

export const create = command('POST /api/complaint/create', {
  summary: 'Create a complaint',
  description:
    'Creates a complaint on behalf of an employee, or of an unknown author. An anonymous complaint requires `from_employee_id`, which stays hidden. Returns `against_oneself` if author and accused are the same employee.',
  addition: ADDITION,
  access: can('complaint.create'),
  body: ComplaintInput,
  reply: created(PlainComplaint),
  faults: [OwnRecord, AgainstOneself],
  handle: ({ body, ...context }) => createComplaint(context, body),
});

export const file = command('POST /api/hrm/complaint', {
  summary: 'File a complaint',
  description:
    'Creates your own complaint about a colleague or a situation. An anonymous complaint appears in no list: store its ID.',
  addition: ADDITION,
  access: employeesOnly,
  body: OwnComplaintInput,
  reply: created(PlainComplaint),
  faults: [NotAnEmployee, AgainstOneself],
  handle: ({ body, ...context }) => fileComplaint(context, body),
});

export const update = command('POST /api/complaint/update/{id}', {
  summary: 'Update an open complaint',
  description:
    'Updates an open complaint. Returns 409 `invalid_transition` once the investigation has started, and `against_oneself` if author and accused are the same employee.',
  addition: ADDITION,
  access: complaintStates.can('update'),
  params,
  body: ComplaintChanges,
  reply: ok(PlainComplaint),
  faults: [OwnRecord, AgainstOneself],
  handle: ({ params: { id }, body, expect, ...context }) => changeComplaint(context, id, body, expect),
});

export const decide = command('POST /api/complaint/update-status/{id}', {
  summary: 'Investigate, resolve or dismiss a complaint',
  description:
    'Starts the investigation, or closes the complaint as resolved or dismissed. Closing requires an `outcome`. Returns `own_record` for your own complaint.',
  addition: ADDITION,
  access: complaintStates.can('investigate', 'resolve', 'dismiss'),
  params,
  body: ComplaintDecision,
  reply: ok(PlainComplaint),
  faults: [OwnRecord],
  handle: ({ params: { id }, body, expect, ...context }) => decideComplaint(context, id, body, expect),
});

export const remove = command('DELETE /api/complaint/delete/{id}', {
  summary: 'Delete an open complaint',
  description: 'Deletes an open complaint. Returns 409 `invalid_transition` once the investigation has started.',
  addition: ADDITION,
  access: complaintStates.can('delete'),
  params,
  reply: removed,
  handle: ({ params: { id }, ...context }) => removeComplaint(context, id),
});
