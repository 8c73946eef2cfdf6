/** Where leads come from. */
import { memberOperations } from './member-operations.ts';
import { leadBoard } from '../board/lead-board.ts';

export const { store, remove } = memberOperations(leadBoard, 'source', {
  store: 'POST /api/lead-source/store/{lead_id}',
  remove: 'DELETE /api/lead-source/{lead_id}/delete/{source_id}',
});
