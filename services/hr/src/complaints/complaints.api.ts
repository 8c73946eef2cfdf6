/** Complaints: somebody complains about a colleague or about something. Whom it is about never sees it. */
import { can, created, Id, idOf, ok, page, removed, signedIn } from '@suite/chassis';
import { OwnRecord } from '../employment/employment.rules.ts';
import { command, query } from '../operations.ts';
import { NotAnEmployee } from '../self/self.ts';
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
import { listComplaints, listOwnComplaints, readComplaint, readFiled } from './complaint.view.ts';

const params = { id: idOf('complaints') };

export const list = query('GET /api/complaints', {
  summary: 'List complaints',
  description:
    'Nobody finds one against himself. The author of an anonymous one is shown to owners, where `expand` names it.',
  access: can('complaint.view'),
  query: ComplaintFilter,
  reply: page(Complaint),
  handle: ({ query, ...reader }) => listComplaints(reader, query),
});

export const own = query('GET /api/hrm/complaints', {
  summary: 'List complaints that you filed',
  description: 'Under one’s name. No list has what was filed anonymously: it is found by its id.',
  access: signedIn,
  query: OwnComplaintFilter,
  reply: page(PlainComplaint),
  faults: [NotAnEmployee],
  handle: ({ query, ...reader }) => listOwnComplaints(reader, query),
});

export const filed = query('GET /api/hrm/complaint/{complaint_id}', {
  summary: 'Get a complaint that you filed',
  description: 'Also an anonymous one, by the id that the answer to its filing told.',
  access: signedIn,
  // Not looked for among what the caller sees: of an anonymous one nothing tells the database whose it is.
  params: { complaint_id: Id },
  reply: ok(PlainComplaint),
  faults: [NotAnEmployee],
  handle: ({ params, ...reader }) => readFiled(reader, params.complaint_id),
});

export const show = query('GET /api/complaint/show/{id}', {
  summary: 'Get a complaint',
  access: can('complaint.view'),
  params,
  reply: ok(Complaint),
  handle: ({ params: { id }, ...reader }) => readComplaint(reader, id),
});

export const create = command('POST /api/complaint/create', {
  summary: 'Create a complaint',
  description: 'For somebody, or for nobody who is known.',
  access: can('complaint.create'),
  body: ComplaintInput,
  reply: created(PlainComplaint),
  faults: [OwnRecord, AgainstOneself],
  handle: ({ body, ...context }) => createComplaint(context, body),
});

export const file = command('POST /api/hrm/complaint', {
  summary: 'File a complaint',
  description: 'About a colleague or about something. An anonymous one is shown once: keep its id.',
  access: signedIn,
  body: OwnComplaintInput,
  reply: created(PlainComplaint),
  faults: [NotAnEmployee, AgainstOneself],
  handle: ({ body, ...context }) => fileComplaint(context, body),
});

export const update = command('POST /api/complaint/update/{id}', {
  summary: 'Update an open complaint',
  access: complaintStates.can('update'),
  params,
  body: ComplaintChanges,
  reply: ok(PlainComplaint),
  faults: [OwnRecord, AgainstOneself],
  handle: ({ params: { id }, body, expect, ...context }) => changeComplaint(context, id, body, expect),
});

export const decide = command('POST /api/complaint/update-status/{id}', {
  summary: 'Investigate, resolve or dismiss a complaint',
  description: 'Resolved and dismissed with an outcome.',
  access: complaintStates.can('investigate', 'resolve', 'dismiss'),
  params,
  body: ComplaintDecision,
  reply: ok(PlainComplaint),
  faults: [OwnRecord],
  handle: ({ params: { id }, body, expect, ...context }) => decideComplaint(context, id, body, expect),
});

export const remove = command('DELETE /api/complaint/delete/{id}', {
  summary: 'Delete an open complaint',
  access: complaintStates.can('delete'),
  params,
  reply: removed,
  handle: ({ params: { id }, ...context }) => removeComplaint(context, id),
});
