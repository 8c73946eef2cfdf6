/** Deputies decide on leave requests while the manager is absent. */
import { ok } from '@suite/chassis/operations';
import { command } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { Deputies, DeputyInput } from './deputy.schema.ts';
import { nameDeputy } from './deputy.ts';

export const name = command('POST /api/hrm/deputy', {
  summary: 'Choose your deputy',
  description:
    'Sets the user who decides on leave requests in your place from `from` to `to`. Omit `user_id` to remove the deputy on these days. Returns your deputies from today on.',
  addition:
    'Managers decide on leave of their team without administrator permissions, and deputies replace absent managers.',
  access: employeesOnly,
  body: DeputyInput,
  reply: ok(Deputies),
  faults: [NotAnEmployee],
  handle: ({ db, caller, body }) => nameDeputy(db, caller, body),
});
