/** Actions on designations. */
import { recordActions } from '@suite/chassis/operations';

export const designationActions = recordActions('designation', {
  update: 'designation.update',
  delete: 'designation.delete',
});
