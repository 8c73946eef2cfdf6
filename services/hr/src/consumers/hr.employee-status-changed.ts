import { EmployeeStatusChanged } from '@suite/proto/hr/v1/events';
import { keepAcknowledgmentsOf } from '../acknowledgments/acknowledgment.ts';
import { on } from '../operations.ts';

/** An employee acknowledges what he must from his first day on, and nothing more after his last one. */
export const askByStatus = on(EmployeeStatusChanged, 'hr.ask-by-status', ({ event, db }) =>
  keepAcknowledgmentsOf(db, event.employee_id),
);
