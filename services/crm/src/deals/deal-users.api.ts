/** Colleagues who work on a deal, and may see it. */
import { memberOperations } from '../dossier/member-operations.ts';
import { dealBoard } from './deal-board.ts';

export const { store, remove } = memberOperations(dealBoard, 'user', {
  store: 'POST /api/deal-user/store/{deal_id}',
  remove: 'DELETE /api/deal-user/{deal_id}/delete/{user_id}',
});
