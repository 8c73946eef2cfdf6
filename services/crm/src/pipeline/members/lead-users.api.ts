/** Users of a lead: colleagues who can see it, in addition to the owner. */
import { memberOperations } from './member-operations.ts';
import { leadBoard } from '../board/lead-board.ts';

export const { create, remove } = memberOperations(leadBoard, 'user', {
  create: 'POST /api/lead-user/store/{lead_id}',
  remove: 'DELETE /api/lead-user/{lead_id}/delete/{user_id}',
});
