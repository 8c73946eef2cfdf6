/** Sources of a lead: the channels of the first contact. */
import { memberOperations } from './member-operations.ts';
import { leadBoard } from '../board/lead-board.ts';

export const { create, remove } = memberOperations(leadBoard, 'source', {
  create: 'POST /api/lead-source/store/{lead_id}',
  remove: 'DELETE /api/lead-source/{lead_id}/delete/{source_id}',
});
