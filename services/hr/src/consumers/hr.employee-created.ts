import { EmployeeCreated } from '@suite/proto/hr/v1/events';
import { keepAcknowledgmentsOf } from '../acknowledgments/acknowledgment.ts';
import { on } from '../operations.ts';

/** A new employee acknowledges what everybody else has to. */
export const askNewcomer = on(EmployeeCreated, 'hr.ask-newcomer', ({ event, db }) =>
  keepAcknowledgmentsOf(db, event.employee_id),
);
