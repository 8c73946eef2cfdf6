/** Users of a deal: colleagues who work on the deal and can see it. */
import { memberOperations } from './member-operations.ts';
import { dealBoard } from '../board/deal-board.ts';

export const { create, remove } = memberOperations(dealBoard, 'user', {
  create: 'POST /api/deal-user/store/{deal_id}',
  remove: 'DELETE /api/deal-user/{deal_id}/delete/{user_id}',
});
