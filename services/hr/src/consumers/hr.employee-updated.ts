import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import { keepAcknowledgmentsOf } from '../acknowledgments/acknowledgment.ts';
import { on } from '../operations.ts';

/** The terms by which an audience names somebody. */
const PLACE = new Set(['branch_id', 'department_id', 'designation_id']);

/** Somebody who has moved acknowledges what concerns him where he is now. */
export const askMover = on(EmployeeUpdated, 'hr.ask-mover', async ({ event, db }) => {
  if (event.fields.some((name) => PLACE.has(name))) await keepAcknowledgmentsOf(db, event.employee_id);
});
