/** Deal stages are the columns of the deal board, each with a probability. Their type makes deals won or lost. */
import { dealBoard } from '../board/deal-board.ts';
import { stageOperations } from './stage-operations.ts';

export const { list, create, update, remove } = stageOperations(dealBoard, {
  list: 'GET /api/deal-stages',
  create: 'POST /api/deal-stage/create',
  update: 'POST /api/deal-stage/update/{id}',
  remove: 'DELETE /api/deal-stage/delete/{id}',
});
