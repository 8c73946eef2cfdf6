/** States of an employee's change request. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

export const requestStates = lifecycle(
  'change request',
  { pending: { confirm: 'confirmed', reject: 'rejected' }, confirmed: {}, rejected: {} },
  { actions: { confirm: 'employee.update', reject: 'employee.update' } },
);

export const NothingAskedFor = fault(422, 'nothing_asked_for', 'Nothing would change. Enter at least one new value.');
