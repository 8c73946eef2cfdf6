/** Sources of a deal: the channels of the first contact. */
import { memberOperations } from './member-operations.ts';
import { dealBoard } from '../board/deal-board.ts';

export const { create, remove } = memberOperations(dealBoard, 'source', {
  create: 'POST /api/deal-source/store/{deal_id}',
  remove: 'DELETE /api/deal-source/{deal_id}/delete/{source_id}',
});
