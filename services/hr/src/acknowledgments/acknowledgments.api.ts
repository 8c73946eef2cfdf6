/** Acknowledgments: whether people have read what must be read. They are made when it is published. */
import { can, Id, idOf, ok, page, signedIn } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { NotAnEmployee } from '../self/self.ts';
import { acknowledgmentStates, NoLongerPublished, WithoutAddress } from './acknowledgment.rules.ts';
import { Acknowledgment, AcknowledgmentFilter } from './acknowledgment.schema.ts';
import { acknowledge as acknowledgeOwn, remind as remindOne } from './acknowledgment.ts';
import { listAcknowledgments } from './acknowledgment.view.ts';

export const list = query('GET /api/acknowledgments', {
  summary: 'List acknowledgments',
  description:
    '`overdue` ones are pending after the day on which they were due, which `ack_days` of the settings says.',
  access: can('acknowledgment.view'),
  query: AcknowledgmentFilter,
  reply: page(Acknowledgment),
  handle: ({ db, caller, query }) => listAcknowledgments(db, caller, query),
});

export const remind = command('POST /api/acknowledgment/remind/{id}', {
  summary: 'Remind an employee to acknowledge',
  description: 'By a mail, at most once a day: again on the same day it changes nothing.',
  access: acknowledgmentStates.can('remind'),
  params: { id: idOf('acknowledgments') },
  reply: ok(Acknowledgment),
  faults: [NoLongerPublished, WithoutAddress],
  handle: ({ db, caller, params }) => remindOne(db, caller, params.id),
});

export const acknowledge = command('POST /api/hrm/acknowledge/{acknowledgment_id}', {
  summary: 'Acknowledge a document or announcement',
  description: 'One’s own only. Again it changes nothing.',
  access: signedIn,
  params: { acknowledgment_id: Id },
  reply: ok(Acknowledgment),
  faults: [NotAnEmployee, NoLongerPublished],
  handle: ({ db, caller, params }) => acknowledgeOwn(db, caller, params.acknowledgment_id),
});
