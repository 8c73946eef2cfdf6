/** Warnings to employees. The employee sees them, and the line manager does not. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed, anyUser } from '@suite/chassis/operations';
import { EmploymentEnded, OwnRecord } from '../../employment/employment/employment.rules.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { WarningOver, warningStates } from './warning.rules.ts';
import {
  OwnWarningFilter,
  PlainWarning,
  Warning,
  WarningChanges,
  WarningDecision,
  WarningFilter,
  WarningInput,
} from './warning.schema.ts';
import {
  acknowledgeWarning,
  changeWarning,
  createWarning,
  decideWarning,
  listOwnWarnings,
  listWarnings,
  readWarning,
  removeWarning,
} from './warning.ts';

const ADDITION = 'The specification only lists HR records: without these, no records and no decisions would exist.';

const params = { id: idOf('warnings') };

export const list = query('GET /api/warnings', {
  summary: 'List warnings',
  description: 'Returns the warnings that you may see, with severity and status. Expand `employee` for the names.',
  access: can('warning.view'),
  query: WarningFilter,
  reply: page(Warning),
  handle: ({ query, ...context }) => listWarnings(context, query),
});

export const own = query('GET /api/hrm/warnings', {
  summary: 'List your warnings',
  description: 'Returns your own warnings, including closed and expired ones.',
  addition: 'Employees without permission to list records still see their own records, and no others.',
  access: employeesOnly,
  query: OwnWarningFilter,
  reply: page(Warning),
  faults: [NotAnEmployee],
  handle: ({ query, ...context }) => listOwnWarnings(context, query),
});

export const show = query('GET /api/warning/show/{id}', {
  summary: 'Get a warning',
  description: 'Returns a warning. Requires `warning.view`, except for your own.',
  addition: 'A user who gets the ID of a record, for example by e-mail, can view it without the list.',
  access: anyUser,
  params,
  reply: ok(Warning),
  handle: ({ params: { id }, ...context }) => readWarning(context, id),
});

export const create = command('POST /api/warning/create', {
  summary: 'Issue a warning',
  description:
    'Creates a warning that the employee sees immediately. A warning expires on the day `expires_on`. Returns `own_record` for yourself.',
  addition: ADDITION,
  access: can('warning.create'),
  body: WarningInput,
  reply: created(PlainWarning),
  faults: [OwnRecord, EmploymentEnded],
  handle: ({ body, ...context }) => createWarning(context, body),
});

export const update = command('POST /api/warning/update/{id}', {
  summary: 'Update an unacknowledged warning',
  description: 'Updates a warning that the employee has not acknowledged. Returns 409 `invalid_transition` afterwards.',
  addition: ADDITION,
  access: warningStates.can('update'),
  params,
  body: WarningChanges,
  reply: ok(PlainWarning),
  faults: [OwnRecord],
  handle: ({ params: { id }, body, expect, ...context }) => changeWarning(context, id, body, expect),
});

export const decide = command('POST /api/warning/update-status/{id}', {
  summary: 'Close a warning',
  description:
    'Closes an acknowledged warning, with an optional remark. Returns 409 `invalid_transition` before the employee has acknowledged it.',
  addition: ADDITION,
  access: warningStates.can('close'),
  params,
  body: WarningDecision,
  reply: ok(PlainWarning),
  faults: [OwnRecord],
  handle: ({ params: { id }, body, expect, ...context }) => decideWarning(context, id, body, expect),
});

export const acknowledge = command('POST /api/hrm/warning-acknowledge/{id}', {
  summary: 'Acknowledge a warning',
  description:
    'Confirms that you have read a warning about yourself. Returns `warning_over` for a closed or expired warning. Warnings about other employees return 404.',
  addition: ADDITION,
  access: employeesOnly,
  params,
  reply: ok(PlainWarning),
  faults: [NotAnEmployee, WarningOver],
  handle: ({ params: { id }, ...context }) => acknowledgeWarning(context, id),
});

export const remove = command('DELETE /api/warning/delete/{id}', {
  summary: 'Delete an unacknowledged warning',
  description:
    'Deletes a warning that the employee has not acknowledged. Returns 409 `invalid_transition` afterwards. Close the warning instead.',
  addition: ADDITION,
  access: warningStates.can('delete'),
  params,
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => removeWarning(context, id),
});
