/** Tasks of leads, with assignee, due date and reminder. */
import { taskOperations } from './task-operations.ts';
import { leadBoard } from '../../pipeline/board/lead-board.ts';

export const { create, update, remove } = taskOperations(leadBoard, {
  create: 'POST /api/lead-task/create',
  update: 'POST /api/lead-task/update/{id}',
  remove: 'DELETE /api/lead-task/delete/{id}',
});
