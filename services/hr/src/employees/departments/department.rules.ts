/** Actions on departments. */
import { recordActions } from '@suite/chassis/operations';

export const departmentActions = recordActions('department', {
  update: 'department.update',
  delete: 'department.delete',
});
