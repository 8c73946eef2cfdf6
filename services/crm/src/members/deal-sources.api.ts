/** Where deals come from. */
import { memberOperations } from './member-operations.ts';
import { dealBoard } from '../board/deal-board.ts';

export const { store, remove } = memberOperations(dealBoard, 'source', {
  store: 'POST /api/deal-source/store/{deal_id}',
  remove: 'DELETE /api/deal-source/{deal_id}/delete/{source_id}',
});
