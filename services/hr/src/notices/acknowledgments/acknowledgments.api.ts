/** Acknowledgments record who has read a document or announcement. Publication creates them. */
import { Id, idOf } from '@suite/chassis/fields';
import { can, ok, page } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { acknowledgmentStates, NoLongerPublished, WithoutAddress } from './acknowledgment.rules.ts';
import { Acknowledgment, AcknowledgmentFilter } from './acknowledgment.schema.ts';
import { acknowledge as acknowledgeOwn, remindEmployee as remindOne } from './acknowledgment.ts';
import { listAcknowledgments } from './acknowledgment.view.ts';

export const list = query('GET /api/acknowledgments', {
  summary: 'List acknowledgments',
  description:
    'Returns acknowledgments by employee. `overdue` selects pending ones after their due date, which depends on the setting `ack_days`.',
  access: can('acknowledgment.view'),
  query: AcknowledgmentFilter,
  reply: page(Acknowledgment),
  handle: ({ db, caller, query }) => listAcknowledgments(db, caller, query),
});

export const remind = command('POST /api/acknowledgment/remind/{id}', {
  summary: 'Remind an employee to acknowledge',
  description:
    'Sends a reminder by e-mail, at most once a day. A second request on the same day changes nothing. Returns `without_address` if the employee has no e-mail address.',
  addition: 'Employees who miss a required acknowledgment are reminded automatically, and on demand.',
  access: acknowledgmentStates.can('remind'),
  params: { id: idOf('acknowledgments') },
  reply: ok(Acknowledgment),
  faults: [NoLongerPublished, WithoutAddress],
  handle: ({ db, caller, params }) => remindOne(db, caller, params.id),
});

export const acknowledge = command('POST /api/hrm/acknowledge/{acknowledgment_id}', {
  summary: 'Acknowledge a document or announcement',
  description:
    'Acknowledges a document or announcement addressed to you. Repeating the request changes nothing. Returns `no_longer_published` if it has been archived.',
  addition: 'Only the employee can confirm that they have read a document.',
  access: employeesOnly,
  params: { acknowledgment_id: Id },
  reply: ok(Acknowledgment),
  faults: [NotAnEmployee, NoLongerPublished],
  handle: ({ db, caller, params }) => acknowledgeOwn(db, caller, params.acknowledgment_id),
});
