/** Tasks of deals: what is to be done about one, by whom and when. */
import { taskOperations } from './task-operations.ts';
import { dealBoard } from '../board/deal-board.ts';

export const { create, update, remove } = taskOperations(dealBoard, {
  create: 'POST /api/deal-task/create',
  update: 'POST /api/deal-task/update/{id}',
  remove: 'DELETE /api/deal-task/delete/{id}',
});
