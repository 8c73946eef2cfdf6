/** Actions on employee documents. */
import { recordActions } from '@suite/chassis/operations';

export const documentActions = recordActions('employee_document', {
  delete: { permission: 'employee.update', also: 'employee.identity' },
});
