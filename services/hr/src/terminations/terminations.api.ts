/** Terminations: an employment ends with a last day, by a dismissal, a contract that runs out, a retirement or a death. */
import { can, created, idOf, ok, page, removed, signedIn } from '@suite/chassis';
import { Decision, Dry } from '../employee-records/employee-record.schema.ts';
import { EmploymentEnded, ExitBeforeJoining, OwnRecord } from '../employment/employment.rules.ts';
import { AlreadyLeaving, LastDayOver, NoticeTooShort, terminationStates } from '../exit-notices/exit-notice.rules.ts';
import { command, query } from '../operations.ts';
import { NotAnEmployee } from '../self/self.ts';
import {
  OwnTerminationFilter,
  PlainTermination,
  Termination,
  TerminationChanges,
  TerminationFilter,
  TerminationInput,
} from './termination.schema.ts';
import {
  changeTermination,
  createTermination,
  decideTermination,
  listOwnTerminations,
  listTerminations,
  readTermination,
  removeTermination,
} from './termination.ts';

const params = { id: idOf('terminations') };
const REFUSED = [OwnRecord, EmploymentEnded, ExitBeforeJoining, NoticeTooShort];

export const list = query('GET /api/terminations', {
  summary: 'List terminations',
  access: can('termination.view'),
  query: TerminationFilter,
  reply: page(Termination),
  handle: ({ query, ...reader }) => listTerminations(reader, query),
});

export const own = query('GET /api/hrm/terminations', {
  summary: 'List your terminations',
  description: 'Those that were approved.',
  access: signedIn,
  query: OwnTerminationFilter,
  reply: page(Termination),
  faults: [NotAnEmployee],
  handle: ({ query, ...reader }) => listOwnTerminations(reader, query),
});

export const show = query('GET /api/termination/show/{id}', {
  summary: 'Get a termination',
  description: 'It takes `termination.view`, but of one’s own, once it is approved.',
  access: signedIn,
  params,
  reply: ok(Termination),
  handle: ({ params: { id }, ...reader }) => readTermination(reader, id),
});

export const create = command('POST /api/termination/create', {
  summary: 'Propose a termination',
  description: 'A person has one open resignation or termination at most.',
  access: can('termination.create'),
  query: Dry,
  body: TerminationInput,
  reply: created(PlainTermination),
  faults: [AlreadyLeaving, ...REFUSED],
  handle: ({ body, ...context }) => createTermination(context, body),
});

export const update = command('POST /api/termination/update/{id}', {
  summary: 'Update a pending termination',
  access: terminationStates.can('update'),
  params,
  body: TerminationChanges,
  reply: ok(PlainTermination),
  faults: REFUSED,
  handle: ({ params: { id }, body, expect, ...context }) => changeTermination(context, id, body, expect),
});

export const decide = command('POST /api/termination/update-status/{id}', {
  summary: 'Approve or reject a termination',
  description:
    'Approved, the person is on notice until the last day, and has left at 00:00 of the day after it. Withdrawn before it is over, he stays.',
  access: terminationStates.can('approve', 'reject', 'withdraw'),
  params,
  query: Dry,
  body: Decision,
  reply: ok(PlainTermination),
  faults: [OwnRecord, EmploymentEnded, ExitBeforeJoining, LastDayOver],
  handle: ({ params: { id }, body, expect, ...context }) => decideTermination(context, id, body, expect),
});

export const remove = command('DELETE /api/termination/delete/{id}', {
  summary: 'Delete a pending termination',
  access: terminationStates.can('delete'),
  params,
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => removeTermination(context, id),
});
