/** Resignations: somebody leaves because he wants to, with a last day. */
import { can, created, idOf, ok, page, removed, signedIn } from '@suite/chassis';
import { Decision, Dry } from '../employee-records/employee-record.schema.ts';
import { EmploymentEnded, ExitBeforeJoining, OwnRecord } from '../employment/employment.rules.ts';
import {
  AlreadyDecided,
  AlreadyLeaving,
  LastDayOver,
  NoticeTooShort,
  resignationStates,
} from '../exit-notices/exit-notice.rules.ts';
import { command, query } from '../operations.ts';
import { NotAnEmployee } from '../self/self.ts';
import {
  OwnResignationFilter,
  OwnResignationInput,
  PlainResignation,
  Resignation,
  ResignationChanges,
  ResignationFilter,
  ResignationInput,
} from './resignation.schema.ts';
import {
  changeResignation,
  createResignation,
  decideResignation,
  listOwnResignations,
  listResignations,
  readResignation,
  removeResignation,
  resign as resignFrom,
  retractResignation,
} from './resignation.ts';

const params = { id: idOf('resignations') };
const REFUSED = [EmploymentEnded, ExitBeforeJoining, NoticeTooShort];

export const list = query('GET /api/resignations', {
  summary: 'List resignations',
  access: can('resignation.view'),
  query: ResignationFilter,
  reply: page(Resignation),
  handle: ({ query, ...reader }) => listResignations(reader, query),
});

export const own = query('GET /api/hrm/resignations', {
  summary: 'List your resignations',
  access: signedIn,
  query: OwnResignationFilter,
  reply: page(Resignation),
  faults: [NotAnEmployee],
  handle: ({ query, ...reader }) => listOwnResignations(reader, query),
});

export const show = query('GET /api/resignation/show/{id}', {
  summary: 'Get a resignation',
  description: 'It takes `resignation.view`, but of one’s own.',
  access: signedIn,
  params,
  reply: ok(Resignation),
  handle: ({ params: { id }, ...reader }) => readResignation(reader, id),
});

export const create = command('POST /api/resignation/create', {
  summary: 'Create a resignation',
  description: 'One that somebody handed in. A person has one open resignation or termination at most.',
  access: can('resignation.create'),
  query: Dry,
  body: ResignationInput,
  reply: created(PlainResignation),
  faults: [OwnRecord, AlreadyLeaving, ...REFUSED],
  handle: ({ body, ...context }) => createResignation(context, body),
});

export const resign = command('POST /api/hrm/resignation', {
  summary: 'Submit your resignation',
  description: 'With a last day that keeps the period of notice. The notice is of today.',
  access: signedIn,
  query: Dry,
  body: OwnResignationInput,
  reply: created(PlainResignation),
  faults: [NotAnEmployee, AlreadyLeaving, ...REFUSED],
  handle: ({ body, ...context }) => resignFrom(context, body),
});

export const retract = command('POST /api/hrm/resignation-withdraw/{id}', {
  summary: 'Withdraw your resignation',
  description: 'Until it is decided; then whoever decides on resignations takes it back.',
  access: signedIn,
  params,
  reply: ok(PlainResignation),
  faults: [NotAnEmployee, AlreadyDecided],
  handle: ({ params: { id }, ...context }) => retractResignation(context, id),
});

export const update = command('POST /api/resignation/update/{id}', {
  summary: 'Update a pending resignation',
  access: resignationStates.can('update'),
  params,
  body: ResignationChanges,
  reply: ok(PlainResignation),
  faults: [OwnRecord, ...REFUSED],
  handle: ({ params: { id }, body, expect, ...context }) => changeResignation(context, id, body, expect),
});

export const decide = command('POST /api/resignation/update-status/{id}', {
  summary: 'Approve or reject a resignation',
  description:
    'Approved, the person is on notice until the last day, and has left at 00:00 of the day after it. Withdrawn before it is over, he stays.',
  access: resignationStates.can('approve', 'reject', 'withdraw'),
  params,
  query: Dry,
  body: Decision,
  reply: ok(PlainResignation),
  faults: [OwnRecord, EmploymentEnded, ExitBeforeJoining, LastDayOver],
  handle: ({ params: { id }, body, expect, ...context }) => decideResignation(context, id, body, expect),
});

export const remove = command('DELETE /api/resignation/delete/{id}', {
  summary: 'Delete a pending resignation',
  access: resignationStates.can('delete'),
  params,
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => removeResignation(context, id),
});
