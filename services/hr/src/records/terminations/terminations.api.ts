/** Terminations of employments, such as a dismissal, the end of a contract or retirement. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed, anyUser } from '@suite/chassis/operations';
import { Decision, DecisionDryRun } from '../../employees/employee-records/employee-record.schema.ts';
import { EmploymentEnded, ExitBeforeJoining, OwnRecord } from '../../employment/employment/employment.rules.ts';
import {
  AlreadyLeaving,
  LastDayOver,
  ExitNoticeTooShort,
  terminationStates,
} from '../exit-notices/exit-notice.rules.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
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

const ADDITION = 'The specification only lists HR records: without these, no records and no decisions would exist.';

const params = { id: idOf('terminations') };
const FAULTS = [OwnRecord, EmploymentEnded, ExitBeforeJoining, ExitNoticeTooShort];

export const list = query('GET /api/terminations', {
  summary: 'List terminations',
  description: 'Returns the terminations that you may see, pending and decided. Expand `employee` for the names.',
  access: can('termination.view'),
  query: TerminationFilter,
  reply: page(Termination),
  handle: ({ query, ...context }) => listTerminations(context, query),
});

export const own = query('GET /api/hrm/terminations', {
  summary: 'List your terminations',
  description: 'Returns your own approved terminations. Pending and rejected proposals are not included.',
  addition: 'Employees without permission to list records still see their own records, and no others.',
  access: employeesOnly,
  query: OwnTerminationFilter,
  reply: page(Termination),
  faults: [NotAnEmployee],
  handle: ({ query, ...context }) => listOwnTerminations(context, query),
});

export const show = query('GET /api/termination/show/{id}', {
  summary: 'Get a termination',
  description: 'Returns a termination. Requires `termination.view`, except for your own once approved.',
  addition: 'A user who gets the ID of a record, for example by e-mail, can view it without the list.',
  access: anyUser,
  params,
  reply: ok(Termination),
  handle: ({ params: { id }, ...context }) => readTermination(context, id),
});

export const create = command('POST /api/termination/create', {
  summary: 'Propose a termination',
  description:
    'Creates a pending termination. Returns `already_leaving` if another resignation or termination is open. Returns `notice_too_short` for a day within the notice period, unless `waive_notice` is `true`.',
  addition: ADDITION,
  access: can('termination.create'),
  query: DecisionDryRun,
  body: TerminationInput,
  reply: created(PlainTermination),
  faults: [AlreadyLeaving, ...FAULTS],
  handle: ({ body, ...context }) => createTermination(context, body),
});

export const update = command('POST /api/termination/update/{id}', {
  summary: 'Update a pending termination',
  description:
    'Updates a pending termination and checks the notice period again. Returns 409 `invalid_transition` once it has been decided.',
  addition: ADDITION,
  access: terminationStates.can('update'),
  params,
  body: TerminationChanges,
  reply: ok(PlainTermination),
  faults: FAULTS,
  handle: ({ params: { id }, body, expect, ...context }) => changeTermination(context, id, body, expect),
});

export const decide = command('POST /api/termination/update-status/{id}', {
  summary: 'Approve or reject a termination',
  description:
    'Decides on a termination. After approval, the employee serves the notice period until the last day. The employment ends at 00:00 on the next day. If the termination is withdrawn before then, the employment continues.',
  addition: ADDITION,
  access: terminationStates.can('approve', 'reject', 'withdraw'),
  params,
  query: DecisionDryRun,
  body: Decision,
  reply: ok(PlainTermination),
  faults: [OwnRecord, EmploymentEnded, ExitBeforeJoining, LastDayOver],
  handle: ({ params: { id }, body, expect, ...context }) => decideTermination(context, id, body, expect),
});

export const remove = command('DELETE /api/termination/delete/{id}', {
  summary: 'Delete a pending termination',
  description: 'Deletes a pending termination. Returns 409 `invalid_transition` once it has been decided.',
  addition: ADDITION,
  access: terminationStates.can('delete'),
  params,
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => removeTermination(context, id),
});
