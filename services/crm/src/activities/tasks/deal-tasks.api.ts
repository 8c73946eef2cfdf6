/** Tasks of deals, with assignee, due date and reminder. */
import { taskOperations } from './task-operations.ts';
import { dealBoard } from '../../pipeline/board/deal-board.ts';

export const { create, update, remove } = taskOperations(dealBoard, {
  create: 'POST /api/deal-task/create',
  update: 'POST /api/deal-task/update/{id}',
  remove: 'DELETE /api/deal-task/delete/{id}',
});
