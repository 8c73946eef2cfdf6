import { EmployeeStatusChanged } from '@suite/proto/hr/v1/events';
import { syncAcknowledgmentsOf } from '../notices/acknowledgments/acknowledgment.ts';
import { on } from '../operations.ts';

/** Requests acknowledgments from an employee's first day to their last day. */
export const requestAcknowledgmentsByStatus = on(EmployeeStatusChanged, 'hr.ask-by-status', ({ event, db }) =>
  syncAcknowledgmentsOf(db, event.employee_id),
);
