/** Your own employee profile. */
import { ok } from '@suite/chassis/operations';
import { NothingAskedFor } from '../../employees/change-requests/request.rules.ts';
import { IbanInvalid } from '../../employment/employee-users/employee.rules.ts';
import { command } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { OwnProfile, ProfileChanges } from './profile.schema.ts';
import { changeProfile } from './profile.ts';

export const change = command('POST /api/hrm/profile', {
  summary: 'Request a change of your profile',
  description:
    'Updates your phone, address and emergency contact immediately. A new bank account or official number awaits approval. A later request for the same field replaces the pending one.',
  addition: 'Employees view and correct their own data, and sensitive changes need confirmation by another user.',
  access: employeesOnly,
  body: ProfileChanges,
  reply: ok(OwnProfile),
  faults: [NotAnEmployee, NothingAskedFor, IbanInvalid],
  handle: ({ body, expect, ...context }) => changeProfile(context, body, expect),
});
