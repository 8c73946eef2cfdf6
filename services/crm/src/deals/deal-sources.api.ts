/** Where deals come from. */
import { memberOperations } from '../dossier/member-operations.ts';
import { dealBoard } from './deal-board.ts';

export const { store, remove } = memberOperations(dealBoard, 'source', {
  store: 'POST /api/deal-source/store/{deal_id}',
  remove: 'DELETE /api/deal-source/{deal_id}/delete/{source_id}',
});
