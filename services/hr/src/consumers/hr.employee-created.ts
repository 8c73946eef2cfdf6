import { EmployeeCreated } from '@suite/proto/hr/v1/events';
import { syncAcknowledgmentsOf } from '../notices/acknowledgments/acknowledgment.ts';
import { on } from '../operations.ts';

/** Requests acknowledgments from a new employee for notices to all employees. */
export const requestAcknowledgmentsOnHire = on(EmployeeCreated, 'hr.ask-newcomer', ({ event, db }) =>
  syncAcknowledgmentsOf(db, event.employee_id),
);
