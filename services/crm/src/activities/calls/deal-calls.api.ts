/** Calls about deals, with direction, duration and result. */
import { callOperations } from './call-operations.ts';
import { dealBoard } from '../../pipeline/board/deal-board.ts';

export const { create, update, remove } = callOperations(dealBoard, {
  create: 'POST /api/deal-call/store',
  update: 'POST /api/deal-call/update/{call_id}',
  remove: 'DELETE /api/deal-call/delete/{call_id}',
});
