/** Calls about leads, with direction, duration and result. */
import { callOperations } from './call-operations.ts';
import { leadBoard } from '../../pipeline/board/lead-board.ts';

export const { create, update, remove } = callOperations(leadBoard, {
  create: 'POST /api/lead-call/store',
  update: 'POST /api/lead-call/update/{call_id}',
  remove: 'DELETE /api/lead-call/delete/{call_id}',
});
