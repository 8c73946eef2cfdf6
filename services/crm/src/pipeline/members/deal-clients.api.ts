/** Clients of a deal: external users who can see it. */
import { memberOperations } from './member-operations.ts';
import { dealBoard } from '../board/deal-board.ts';

export const { create, remove } = memberOperations(dealBoard, 'client', {
  create: 'POST /api/deal-client/store/{deal_id}',
  remove: 'DELETE /api/deal-client/{deal_id}/delete/{client_id}',
});
