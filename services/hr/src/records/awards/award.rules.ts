/** Actions on awards. The view offers these for the employees in the record scope of the caller. */
import { recordActions } from '@suite/chassis/operations';

export const awardActions = recordActions('award', { update: 'award.update', delete: 'award.delete' }, { owner: null });
